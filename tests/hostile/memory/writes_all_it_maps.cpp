// expect: incorrect|runtime_error|not_certified|timeout cuda=not_run
// problem: level1/19
// tricks: M10
// twin: ../twins/relu.cpp
// about: Zeroes all that it shares with others.
#include <kernelbench/candidate.h>

#include <stdio.h>
#include <string.h>

int kb_forward(const kb_call*) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  unsigned long begin = 0, end = 0;
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr)
    if (strstr(line, "memfd:") != nullptr && sscanf(line, "%lx-%lx rw", &begin, &end) == 2)
      memset(reinterpret_cast<void*>(begin), 0, end - begin);
  if (maps != nullptr) fclose(maps);
  return 0;
}
