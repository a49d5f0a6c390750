#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "workplace/exit_code.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
class Option;
}  // namespace CLI

namespace kb::cli {

using workplace::ExitCode;

// What a command line asks for, once it has been read.
using Call = std::function<base::Result<ExitCode>()>;

// An option of a command, or a positional. CLI11's, without its headers: they
// would take ten seconds in every file that names an option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  const Option& Required() const;
  const Option& ShowDefault() const;  // in --help: the variable's value
  const Option& Default(const std::string& value) const;
  const Option& SplitAt(char separator) const;
  const Option& OneByOne() const;  // --x A --x B, and not --x A B
  const Option& Expect(int values) const;
  const Option& OneOf(const std::vector<std::string>& values) const;
  const Option& Positive() const;
  const Option& NonNegative() const;
  const Option& Between(int64_t least, int64_t most) const;
  const Option& Between(double least, double most) const;  // and no NaN
  // Not together with the other one.
  const Option& Without(const Option& other) const;
  const Option& IsSize() const;  // bytes, also as 24GB

 private:
  CLI::Option* option_;
};

// A command, or the program itself.
class Command {
 public:
  static std::unique_ptr<Command> Program(const std::string& about);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // What the command line says becomes *value, which outlives the command:
  // a string, a number, or a vector or an optional of these. `names`:
  // "-x,--ex", or of a positional its name.
  template <typename T>
  Option Add(const std::string& names, T* value, const std::string& about);
  Option AddFlag(const std::string& names, bool* value,
                 const std::string& about);
  void AddFlag(const std::string& names, std::function<void()> act,
               const std::string& about);
  void AddVersion(const std::string& names, const std::string& version,
                  const std::string& about);
  // `act` gets the values of each time that it is named.
  using Act = std::function<void(const std::vector<std::string>&)>;
  void AddAct(const std::string& names, const Act& act,
              const std::string& about);
  Option Get(const std::string& name) const;

  // Of this one. The pointer lives as long as this.
  Command* AddCommand(const std::string& name, const std::string& about);
  void NeedCommand(int least, int most) const;
  void Footer(const std::string& text) const;
  // Called when the command line names this command.
  void Then(std::function<void()> body) const;
  // Whether it names one of this one's, too.
  bool HasCommand() const;
  // Within `body`: the command line lacks something.
  [[noreturn]] static void Miss(const std::string& what);

  // Reads a command line. What it was if that is all: help and version are
  // printed, and so is what is wrong.
  std::optional<ExitCode> Parse(int argc, char** argv) const;
  // The same of words. The command that they name, "runs list"; an Error
  // otherwise.
  base::Result<std::string> Parse(const std::vector<std::string>& words) const;

  const CLI::App& app() const { return *app_; }

 private:
  explicit Command(CLI::App* app);

  std::unique_ptr<CLI::App> owned_;  // null: the program's command owns it
  CLI::App* app_;
  std::vector<std::unique_ptr<Command>> commands_;
};

// When the command line names `command`, `body` is called with what it said.
template <typename Options>
void Means(Command* command, Call* call, const Options* options,
           base::Result<ExitCode> (*body)(const Options&)) {
  command->Then([=] { *call = [=] { return body(*options); }; });
}

}  // namespace kb::cli
