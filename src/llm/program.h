#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/model.h"
#include "llm/provider.h"
#include "os/fd.h"
#include "os/process.h"

namespace kb::llm {

constexpr size_t kMaxAnswer = size_t{64} << 20;
constexpr size_t kMaxErrors = size_t{64} << 10;  // kept of standard error

// A program that answers, and the ends of what it prints, which never block.
struct Program {
  os::Process process;
  os::Fd out;
  os::Fd err;
};

// Its standard input is `input`; KB_PROBLEM, KB_SAMPLE and KB_TURN say what the
// question is about.
base::Result<Program> StartProgram(const std::vector<std::string>& command,
                                   const Question& question, int input);

// Reads what is there; false at the end of the file.
bool ReadSome(const os::Fd& file, std::string* text);

// As a shell says it: 128 plus the signal.
int CodeOf(const os::ExitStatus& status);

// "exit code 3: " and the last line of what it wrote on standard error.
std::string Complaint(int code, const std::string& errors);

// The failure with the model's and its program's name before it.
Failure OfProgram(const Model& model, const Failure& failure);

// {"problem": "level1/23", "sample": 0, "turn": 2, "system": "...",
// "messages": [{"role": "user", "content": "..."}, ...]} and a line's end.
std::string JsonLineOf(const Question& question);

}  // namespace kb::llm
