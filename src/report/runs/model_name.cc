#include "model_name.h"

#include <filesystem>

namespace kb::report {

std::string ModelName(const std::string& model) {
  const std::string replay = "replay:";
  if (!model.starts_with(replay)) return model;
  std::filesystem::path folder(model.substr(replay.size()));
  if (!folder.has_filename()) folder = folder.parent_path();
  return replay + folder.filename().string();
}

}  // namespace kb::report
