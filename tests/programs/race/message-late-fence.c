// expect: error kind=data-race line=23 message="thread 1 writes it at"
// A release fence after the store is too late for what is read of that.
#define PASS() (atomic_store_explicit(&ready, 1, memory_order_relaxed), atomic_thread_fence(memory_order_release))
#define PASSED() atomic_load_explicit(&ready, memory_order_acquire)
#include "message-relaxed-store.c"
