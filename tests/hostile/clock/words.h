#pragma once

// Where the words of wire::Mailbox lie, in words of 4 bytes. wire_test compares
// the two: an attempt that looks elsewhere does nothing.
enum Word { kArm = 0, kCalls = 2, kGated = 4, kGo = 144, kDone = 176 };
