#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/toolchain.h"

namespace kb::workplace {

// The devices that `wanted` names: "cpu", "cuda:1", "cuda:0,2", "cuda:all".
// Empty: the GPUs that are like the first one where the command can use
// `several`, else the first one, or cpu where PyTorch sees none. An Error says
// which there are. Those of another model are refused: their times are not
// comparable.
base::Result<std::vector<std::string>> ChooseDevices(
    const std::string& wanted, const std::vector<compile::CudaDevice>& found,
    bool several);

}  // namespace kb::workplace
