// Runs one fuzz target over files and folders of inputs, without a fuzzer: what
// was once found must stay mended, whatever the compiler.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "input.h"

namespace fs = std::filesystem;

namespace {

void Replay(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::fprintf(stderr, "%s\n", path.c_str());
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()),
                         bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  size_t inputs = 0;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      Replay(argv[i]);
      ++inputs;
      continue;
    }
    for (const auto& entry : fs::directory_iterator(argv[i])) {
      Replay(entry.path());
      ++inputs;
    }
  }
  std::fprintf(stderr, "%zu inputs\n", inputs);
  return inputs == 0 ? 1 : 0;
}
