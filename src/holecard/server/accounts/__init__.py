"""Who people are: guests and named accounts, passwords, sessions, roles and lock-out."""
