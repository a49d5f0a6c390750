// expect: compile_error
// problem: level1/19
// tricks: N15
// twin: ../twins/relu.cpp
// about: Includes a problem and a program of ours, by the folder of our header.
// The first that is there is taken.
#if __has_include(<../../hosts/oracle_host.py>)
#define FOUND <../../hosts/oracle_host.py>
#elif __has_include(<../../problems/level1/19_ReLU.py>)
#define FOUND <../../problems/level1/19_ReLU.py>
#elif __has_include(<../../samples/level1_19_relu/loop.cpp>)
#define FOUND <../../samples/level1_19_relu/loop.cpp>
#else
#error "nothing is here"
#endif
// Where it is no C++, the message shows its lines.
#include FOUND
