// expect: verified
// Fences synchronise by way of relaxed accesses.
#define PASS() (atomic_thread_fence(memory_order_release), atomic_store_explicit(&ready, 1, memory_order_relaxed))
#define PASSED() (atomic_load_explicit(&ready, memory_order_relaxed) ? (atomic_thread_fence(memory_order_acquire), 1) : 0)
#include "message-relaxed-store.c"
