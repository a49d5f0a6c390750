#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/policy.h"
#include "record/problem.h"

namespace kb::prompt {

// What goes into a prompt besides the problem.
struct PromptOptions {
  std::string folder;               // share/prompts
  std::string prompt = "one-shot";  // name in the folder, or a file's path
  std::string backend = "cuda";     // name of a backend block
  std::string hardware;             // name of a hardware block; empty: none
  record::Precision precision = record::Precision::kFp32;
  record::Policy policy;       // what is asked is what will be judged
  bool several_sizes = false;  // so is at what sizes
};

// What is sent. The system part is the same for all problems that are judged by
// the same rules, so that providers can cache it.
struct Prompt {
  std::string system;
  std::string user;
  std::string file_name;  // what the answer should be called: "answer.cu"
};

// Names of what a folder has.
struct Catalogue {
  std::vector<std::string> prompts;   // "zero-shot", "one-shot", ...
  std::vector<std::string> backends;  // "cuda", "cuda-inline", "triton", ...
  std::vector<std::string> hardware;  // "H100", "RTX 4090", ...
  // Texts of feedback, of searches, and of knowledge.
  std::vector<std::string> feedback;
  std::vector<std::string> search;
  std::vector<std::string> knowledge;
};
base::Result<Catalogue> List(const std::string& folder);

// The hardware block for a device as the driver calls it ("NVIDIA H100 80GB
// HBM3"), empty when there is none.
base::Result<std::string> HardwareFor(const std::string& folder,
                                      const std::string& device_name);

// Exact figures of a device, for roofline plots. From the vendor's data sheet,
// without sparsity; 0: the device cannot.
struct Hardware {
  std::string name;
  double memory_gb = 0;       // 10^9 bytes
  double bandwidth_gbps = 0;  // 10^9 bytes a second
  double fp32_tflops = 0;
  double tf32_tflops = 0;
  double fp16_tflops = 0;  // tensor cores, accumulating in float32
  double bf16_tflops = 0;
};
base::Result<Hardware> HardwareFacts(const std::string& folder,
                                     const std::string& name);

// A prompt for each problem with the same blocks, by the policy as it is
// Adjusted to the problem. The source in it is `problem.source`, which is what
// will run.
class Writer {
 public:
  static base::Result<Writer> Create(const PromptOptions& options);
  base::Result<Prompt> Write(const record::Problem& problem) const;

 private:
  // A text, then the problem's variable that follows it; "" at the end. Kept in
  // parts, because a template's values (examples) may look like templates.
  struct Part {
    std::string text;
    std::string variable;
  };

  Prompt Fill(const record::Problem& problem) const;

  PromptOptions options_;
  std::string system_;
  std::vector<Part> user_;
  std::string file_name_;
};

}  // namespace kb::prompt
