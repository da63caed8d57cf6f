"""Side wagers and insurance, counted exactly."""
