#pragma once

#include <string>
#include <vector>

#include "eval/session.h"
#include "record/evaluation.h"

namespace kb::eval {

// What is known of a task's evaluation before anything is done, on a lane of
// the session.
record::Evaluation NewEvaluation(const Task& task,
                                 const SessionOptions& options,
                                 const lane::LaneOptions& lane);

void AddNotes(const std::vector<std::string>& notes,
              record::Evaluation* evaluation);

// Says of a correct one under what rules of its policy a wrong kernel would be
// correct as well: the problem's flags that hold.
void NoteWeakness(const record::Problem& problem,
                  record::Evaluation* evaluation);

}  // namespace kb::eval
