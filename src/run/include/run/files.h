#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/pack.h"
#include "record/baseline.h"
#include "record/policy.h"
#include "store/store.h"

namespace kb::run {

// `run` if there is such a file, else the run of this name in the folder where
// runs go by default, if there is one.
std::string RunPath(const std::string& run);

// What a model's store is called, without the extension: the model's name, or
// of a replay what is replayed. Another character than a letter, digit, '.',
// '_' or '-' becomes '-'.
std::string StoreNameOf(const std::string& model);

// Where results go when the user names no file.
base::Result<std::string> DefaultStorePath();

// Where measured baselines are kept for all runs.
base::Result<std::string> BaselineStorePath();

// The policy that a run was begun with, by its store's manifest; none: it says
// none.
base::Result<std::optional<record::Policy>> BegunPolicy(
    const std::map<std::string, std::string>& manifest);

// A store that is there already, found by RunPath; what is wrong with it is a
// usage error.
base::Result<store::Store> OpenRun(const std::string& path);

// "level1/23" -> "level1"; "level0" without one.
std::string LevelOf(const std::string& problem);

// The levels' files by problem number, for interop.
std::map<int64_t, std::string> FileNames(const problems::Pack& pack,
                                         const std::string& level);

// Baselines as the original's files below `folder`: one a mode, named as its
// scripts name them, and each with all levels. Their paths.
base::Result<std::vector<std::string>> WriteOriginalBaselines(
    const std::vector<record::Baseline>& baselines, const problems::Pack& pack,
    const std::string& folder);

// Refuses a folder of --out in which there is something.
base::Result<void> CheckOutIsNew(const std::string& folder);

}  // namespace kb::run
