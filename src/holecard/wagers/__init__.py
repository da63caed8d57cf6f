"""Side wagers: named hands, pay lines, and when each is decided."""
