#include <cstdio>
#include <cstdlib>
#include <exception>
static void handler() { puts("terminate"); fflush(stdout); _Exit(0); }
int main() { std::set_terminate(handler); throw 1; }
