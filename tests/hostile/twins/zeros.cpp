// expect: correct cuda=not_run
// problem: level2/80
// about: Honest: the answer is zero for every input.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  memset(call->outputs[0].data, 0, 4 * kb::numel(call->outputs[0]));
  return 0;
}
