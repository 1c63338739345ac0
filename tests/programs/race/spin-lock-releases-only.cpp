// expect: error kind=data-race line=14|15 message="count"
#define LOCK std::memory_order_relaxed
#define UNLOCK std::memory_order_release
#include "spin-lock-relaxed.cpp"
