#include "task_lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;

struct Field {
  const char* name;
  std::string TaskLine::* text;
};
constexpr std::array<Field, 7> kFields{{{"problem", &TaskLine::problem},
                                        {"name", &TaskLine::name},
                                        {"source", &TaskLine::source},
                                        {"path", &TaskLine::path},
                                        {"size", &TaskLine::size},
                                        {"precision", &TaskLine::precision},
                                        {"policy", &TaskLine::policy}}};

Result<void> Read(const std::string& name, const Json& value, TaskLine* task) {
  if (name == "id") return base::Ok();
  for (const Field& field : kFields) {
    if (name != field.name) continue;
    if (!value.is_string())
      return base::Usage("field \"{}\" of the task is not a text", name);
    task->*field.text = value.get<std::string>();
    return base::Ok();
  }
  return base::Usage("a task has no field \"{}\"; see kernelbench schema task",
                     base::Shorten(name, 60));
}

}  // namespace

Result<TaskLine> ParseTaskLine(const std::string& text, Json* id) {
  const auto json = base::ParseJson(text, "the task");
  if (!json) return base::Usage("{}", json.error().message());
  if (!json->is_object())
    return base::Usage("a task is a JSON object; see kernelbench schema task");
  TaskLine task;
  if (json->contains("id")) task.id = json->at("id");
  *id = task.id;
  for (const auto& [name, value] : json->items())
    KB_TRY(Read(name, value, &task));
  if (task.source.empty() && json->contains("source"))
    return base::Usage("the \"source\" of the task is empty: there is no code");
  if (task.source.empty() == task.path.empty())
    return base::Usage("a task has either a \"source\" or a \"path\"");
  return task;
}

std::optional<std::string> LineReader::Next(const std::stop_token& stop) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  size_t searched = 0;
  for (;;) {
    const size_t end = waiting_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = waiting_.substr(0, end);
      waiting_.erase(0, end + 1);
      return line;
    }
    searched = waiting_.size();
    if (searched > kMostBytes) return std::nullopt;
    if (Read(stop)) continue;
    if (waiting_.empty() || stop.stop_requested()) return std::nullopt;
    return std::exchange(waiting_, {});
  }
}

bool LineReader::Read(const std::stop_token& stop) {
  constexpr int kPatience = 100;  // milliseconds until `stop` is looked at
  while (!stop.stop_requested()) {
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, kPatience) == 0) continue;
    std::array<char, 1 << 16> part{};
    const ssize_t n = ::read(fd_, part.data(), part.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return false;
    waiting_.append(part.data(), static_cast<size_t>(n));
    return true;
  }
  return false;
}

}  // namespace kb::cli
