"""Play money: accounts, transfers between them, and the audit that checks every cent."""
