"""Side wagers and insurance, counted in whole numbers."""
