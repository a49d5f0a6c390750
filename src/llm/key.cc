#include "key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/json.h"
#include "base/text.h"
#include "os/fd.h"

namespace kb::llm {
namespace {

using base::Result;
using base::Usage;

constexpr size_t kMaxKeyBytes = 4096;

Result<Key> Checked(std::string_view text, const std::string& where) {
  const std::string_view key = base::Trim(text);
  if (key.empty())
    return Usage("{} holds no key; put the provider's API key there", where);
  // Printable ASCII only: anything else would not survive as a header.
  if (!std::all_of(key.begin(), key.end(),
                   [](char c) { return c > 0x20 && c < 0x7f; }))
    return Usage(
        "{}: the key has a space, a line break or a character that "
        "no key has; put the key alone there",
        where);
  return Key(std::string(key));
}

// Opened once, so that what is checked is what is read.
Result<Key> FromFile(const std::string& path) {
  const os::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return os::FailErrno("key_file " + path);
  struct stat facts{};
  if (::fstat(file.get(), &facts) != 0) return os::FailErrno("stat " + path);
  if (!S_ISREG(facts.st_mode))
    return Usage("key_file {} is not a regular file", path);
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return Usage("key_file {} can be used by others (mode {:o}); chmod 600 it",
                 path, facts.st_mode & 0777u);
  std::array<char, kMaxKeyBytes> bytes{};
  const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
  if (count < 0) return os::FailErrno("read " + path);
  return Checked({bytes.data(), static_cast<size_t>(count)},
                 "key_file " + path);
}

std::string UrlEncoded(const std::string& text) {
  std::string encoded;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~')
      encoded += static_cast<char>(c);
    else
      encoded += fmt::format("%{:02X}", c);
  }
  return encoded;
}

void ReplaceAll(const std::string& what, std::string* text) {
  constexpr std::string_view kMark = "[key]";
  if (what.empty()) return;
  for (size_t at = text->find(what); at != std::string::npos;
       at = text->find(what, at + kMark.size()))
    text->replace(at, what.size(), kMark);
}

}  // namespace

Result<Key> Key::Read(const Model& model) {
  if (!model.key_file.empty()) return FromFile(model.key_file);
  if (model.key_env.empty()) return Key();
  const char* text = std::getenv(model.key_env.c_str());
  if (text == nullptr)
    return Usage(
        "model {} needs a key: set the environment variable {}, or name a "
        "file by key_file in models.toml",
        model.name, model.key_env);
  return Checked(text, "environment variable " + model.key_env);
}

std::string Key::Redacted(std::string text) const {
  if (text_.empty()) return text;
  ReplaceAll(text_, &text);
  const std::string quoted = base::DumpJson(base::Json(text_));
  ReplaceAll(quoted.substr(1, quoted.size() - 2), &text);
  ReplaceAll(UrlEncoded(text_), &text);
  return text;
}

}  // namespace kb::llm
