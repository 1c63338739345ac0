// expect: error kind=data-race line=15|22 message="ready"
// Volatile accesses are no atomic ones, whatever fences are around them.
#define PASS() (atomic_thread_fence(memory_order_release), *(volatile int *)&ready = 1)
#define PASSED() (*(volatile int *)&ready ? (atomic_thread_fence(memory_order_acquire), 1) : 0)
#include "message-relaxed-store.c"
