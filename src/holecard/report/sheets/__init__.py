"""Reports about rule sheets and rounds: lists of games, rules, checks, tables, replays."""
