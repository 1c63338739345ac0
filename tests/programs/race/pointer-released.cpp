// expect: verified
#define PUBLISH std::memory_order_release
#include "pointer-relaxed.cpp"
