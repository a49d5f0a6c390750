// Fires no_todo: do it now
int F();  // TODO: more
