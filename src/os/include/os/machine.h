#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kb::os {

// The text after the colon of the first line of `path` that starts with `key`:
// a field of /proc/cpuinfo or /proc/meminfo.
std::optional<std::string> ProcField(const char* path, const std::string& key);
// "AMD EPYC 9654"; "cpu" where the system does not say.
std::string ProcessorName();

// Bytes that programs can still have without swapping; nothing: not known.
std::optional<uint64_t> AvailableMemory();

// How long the first thread of a process has been ready to run and had no
// processor, microseconds since it began; nothing where the system does not
// say.
std::optional<double> WaitedMicros(int64_t pid);

// How often the calling thread has lost its processor to another one, since it
// began.
int64_t Preemptions();

}  // namespace kb::os
