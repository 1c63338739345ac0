// expect: error kind=data-race line=23 message="thread 1 writes it at"
// An acquire fence before the load acquires nothing of what that reads.
#define PASS() atomic_store_explicit(&ready, 1, memory_order_release)
#define PASSED() (atomic_thread_fence(memory_order_acquire), atomic_load_explicit(&ready, memory_order_relaxed))
#include "message-relaxed-store.c"
