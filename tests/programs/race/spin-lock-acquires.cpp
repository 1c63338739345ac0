// expect: verified
#define LOCK std::memory_order_acquire
#define UNLOCK std::memory_order_release
#include "spin-lock-relaxed.cpp"
