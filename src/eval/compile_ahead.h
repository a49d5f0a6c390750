#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compile/compiler.h"
#include "eval/session.h"
#include "eval/task_queue.h"

namespace kb::eval {

// Has PyTorch compile references before they are timed, those of `at_once`
// problems beside each other on each device of the session, and of one problem
// one after the other. What it makes is kept in LaneOptions::compiled of the
// session's lanes, which must be set, where their timed processes find it. A
// task's index is what `on_step` is told; its calls come from several threads,
// one at a time.
//
// The indexes of those that ran to their first answer. Whatever kept the others
// from it (memory, say, which so many at once have less of) they meet again, or
// do not, when their turn comes.
std::set<size_t> CompileAhead(
    const std::vector<std::pair<size_t, Task>>& references, size_t at_once,
    const compile::Compiler& compiler, const SessionOptions& session,
    const std::function<void(size_t index, const std::string& step)>& on_step,
    const std::stop_token& stop);

}  // namespace kb::eval
