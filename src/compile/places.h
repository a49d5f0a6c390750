#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/toolchain.h"

namespace kb::compile {

// The variable, when it is set and not empty.
std::optional<std::string> Environment(const SearchPlaces& places,
                                       const std::string& name);

// The first executable of this name in PATH. Compiler caches that pose as the
// compiler are passed over: our cache does their work, and theirs has no home
// inside a jail.
std::optional<std::string> FindOnPath(const SearchPlaces& places,
                                      const std::string& name);

// `path` without symlinks, or as it is when it does not exist.
std::string Resolved(const std::string& path);

// `folder` and every folder above it, the nearest first.
std::vector<std::string> FoldersAbove(const std::string& folder);

// True for `folder` itself and everything below it.
bool IsBelow(std::string_view path, std::string_view folder);

// Lets a jail see `folder` under its own name and the name it is called by.
// Folders that every jail shows (/usr) need no bind; those that hold more than
// tools (/, /root, a whole home) get none, because a secret may lie there.
void AddPrefix(const SearchPlaces& places, const std::string& folder,
               std::vector<jail::Bind>* binds);

// The leading numbers of "2.15.0+cu132": {2, 15, 0}.
std::vector<int64_t> ParseVersion(std::string_view text);

}  // namespace kb::compile
