// Included by google-explicit-constructor.in_header.cc.
#pragma once

struct Verdict {
  Verdict(int code);
};
