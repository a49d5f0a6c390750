#pragma once

#include "base/result.h"
#include "corpus/program.h"
#include "eval/session.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What is judged of a program whose verdict is known: its header stands above
// the command line.
base::Result<eval::Task> TaskOf(const corpus::Program& program,
                                const workplace::Workplace& workplace);

}  // namespace kb::cli
