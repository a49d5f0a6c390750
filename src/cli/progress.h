#pragma once

#include <string>
#include <vector>

#include "eval/session.h"
#include "store/store.h"

namespace kb::cli {

// Keeps results and shows them as they come: on a terminal with one line that
// says what is going on, else one line per result.
class Progress : public eval::Observer {
 public:
  Progress(std::vector<std::string> names, store::Store* store);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() override;

  void OnStep(size_t index, const std::string& step) override;
  void OnDone(size_t index, const record::Evaluation& evaluation) override;

  std::vector<std::optional<record::Evaluation>> TakeResults();
  // Why results could not be stored, if so.
  const std::optional<base::Error>& store_error() const { return store_error_; }

 private:
  void ClearLine();

  std::vector<std::string> names_;
  store::Store* store_;
  bool terminal_;
  size_t done_ = 0;
  std::vector<std::optional<record::Evaluation>> results_;
  std::optional<base::Error> store_error_;
};

}  // namespace kb::cli
