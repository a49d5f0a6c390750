// Fires google-explicit-constructor: must be marked explicit
struct Verdict {
  Verdict(int code);
};
