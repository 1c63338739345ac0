// expect: verified
// A release store synchronises with the acquire load that reads it.
#define PASS() atomic_store_explicit(&ready, 1, memory_order_release)
#define PASSED() atomic_load_explicit(&ready, memory_order_acquire)
#include "message-relaxed-store.c"
