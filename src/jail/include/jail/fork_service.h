// The C interface of a fork server's own process, for hosts/fork_server.py,
// which calls it with ctypes and holds Python's lock meanwhile. One thread.
#pragma once

#pragma GCC visibility push(default)
extern "C" {

// Waits on `socket` for a program to fork. 1: there is one; 0: nobody asks any
// more; -1: no fork is possible, as standard error says.
int kb_jail_await_fork(int socket);

// Forks it. 0 in the server. 1 in the child, which is in its jail then and has
// become the program: it lives with its arguments and its environment.
int kb_jail_fork(void);

// Of the program, since it was asked for: argument i, and "NAME=value" i of its
// whole environment. Null after the last.
const char* kb_jail_argument(int i);
const char* kb_jail_environment(int i);
}
#pragma GCC visibility pop
