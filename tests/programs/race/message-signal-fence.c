// expect: error kind=data-race line=23 message="thread 1 writes it at"
// A fence for signal handlers orders nothing between threads.
#define PASS() (atomic_signal_fence(memory_order_release), atomic_store_explicit(&ready, 1, memory_order_relaxed))
#define PASSED() atomic_load_explicit(&ready, memory_order_acquire)
#include "message-relaxed-store.c"
