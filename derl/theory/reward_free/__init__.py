"""Sample sizes, replays and certificates of reward-free exploration."""
