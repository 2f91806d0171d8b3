"""Networks for labels in doubt: from controls, from experts, and both combined."""
