#include "cli/main.h"

int main(int argc, char** argv) { return kb::cli::Main(argc, argv); }
