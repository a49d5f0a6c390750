// Fires bugprone-suspicious-missing-comma: suspicious string literal
const char* const kNames[] = {"relu",
                              "gelu",
                              "tanh",
                              "sigmoid",
                              "softmax",
                              "conv",
                              "gemm"
                              "norm",
                              "sum",
                              "max",
                              "min"};
