#pragma once

#include <atomic>

#include "oracle_fixture.h"

namespace kb::oracle {

// For what shows in chains of several calls only.
class ChainTest : public OracleTest {
 protected:
  // Again until a chain of several calls was read: on a busy machine a call can
  // look so long that none is.
  Judgement JudgeChained(const Behaviour& behaviour) {
    constexpr int kTries = 50;
    std::atomic<bool> chained = false;
    Behaviour watched = behaviour;
    watched.forward = [&](const Call& call) {
      chained = chained || call.calls > 1;
      return behaviour.forward(call);
    };
    Judgement judgement = Judge(watched);
    for (int tried = 1; !chained && tried < kTries; ++tried)
      judgement = Judge(watched);
    return judgement;
  }
};

}  // namespace kb::oracle
