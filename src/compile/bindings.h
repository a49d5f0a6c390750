#pragma once

#include <string>

#include "compile/compiler.h"

namespace kb::compile {

// A Python candidate of our own whose extension holds what share/bindings
// compiles once, as PyTorch compiles extensions.
record::Candidate BindingsCandidate();

// The compiled one, of its artefact: what src/builder links into modules. "":
// it could not be built.
std::string BindingsObject(const Artifact& artifact);

}  // namespace kb::compile
