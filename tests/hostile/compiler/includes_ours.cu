// expect: compile_error
// problem: level1/19
// tricks: N15
// twin: ../twins/relu.cu
// about: Includes a problem and a program of ours, by the folder of our header, with nvcc.
#if __has_include(<../../hosts/oracle_host.py>)
#include <../../hosts/oracle_host.py>
#elif __has_include(<../../problems/level1/19_ReLU.py>)
#include <../../problems/level1/19_ReLU.py>
#else
#error "nothing is here"
#endif
