#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"

namespace kb::builder {

// What nvcc would do for one source, by its own option --dryrun.
struct NvccPlan {
  std::map<std::string, std::string> environment;
  std::vector<std::string> commands;  // in nvcc's order
  std::string messages;               // of nvcc itself
  // The file by which host and device code of a source agree on a name of
  // theirs; nvcc has the first phase write it. Empty where there is none.
  std::string module_id_file;
};

// None where the text is no such plan.
std::optional<NvccPlan> ReadNvccPlan(const std::string& dry_run);

// Which commands have to end before each one starts: those that a file in
// nvcc's temporary names connects; the last one, which puts together what all
// others made, after them all.
std::vector<std::vector<size_t>> Order(
    const std::vector<std::string>& commands);

// Compiles as `command`, a line with nvcc, does, but with phases at the same
// time that do not depend on each other: the host's and the device's. `unique`:
// names the source among all of one library.
Ran RunNvcc(const std::string& command, const std::string& unique,
            Commands* commands);

}  // namespace kb::builder
