// Fires nolint_with_reason: why it is wrong here
int BadName = 1;  // NOLINT
