"""The table server: people play together over a network, with a fair shoe, a ledger, and a log of everything."""
