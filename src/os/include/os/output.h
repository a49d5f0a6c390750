#pragma once

namespace kb::os {

// From now on standard output and error take whatever is written to them: a
// reader that has gone, a full disk or a closed descriptor ends no run. Control
// sequences other than our own, which foreign names may have, go. Call once,
// before the first output and before anything else is opened.
void ProtectOutput();

// Writes what is still held back. The errno with which standard output failed;
// 0 when everything is out, or nobody wanted it (a pipe without a reader).
int LostOutput();

}  // namespace kb::os
