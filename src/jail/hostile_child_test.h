#pragma once

#include <string>

namespace kb::jail {

// What the test program does when it is started as a jailed program:
// argv = {program, kHostileFlag, deed, argument...}. The deeds:
//
//   exit N            ends with code N
//   crash             reads address 0
//   sleep             says "up" on descriptor 3, blocks all signals, sleeps
//   print N           prints N bytes
//   hog N             touches N bytes of memory
//   bomb              forks for 8 seconds
//   daemon            leaves a double-forked child of a new session behind
//   try ACTION        ends with 0 when the action works, else with errno
//   descriptors       prints the numbers of its open descriptors
//   environment       prints it
//   seed PATH         prints permissions, modification time and content
//   grow PATH N       writes a file of N bytes
//   tick              writes p on descriptor 3 for ever, and its child of a new
//                     session writes c
//   processors        prints the numbers of the processors it may use
//   await-processors N
//                     says "up" on descriptor 3, and ends with 0 when it and a
//                     child of its own may use processor N alone
//   supervise LEVEL [forked]
//                     starts a jail of that level that sleeps, and sleeps
//   serve-forks       is the fork server of jails that do any of these
inline constexpr char kHostileFlag[] = "--hostile";

// A copy of the test program that every user may read and run.
const std::string& HostileProgram();

}  // namespace kb::jail
