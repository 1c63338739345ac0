// expect: error kind=data-race line=23 message="thread 1 writes it at"
// A relaxed load acquires nothing.
#define PASS() atomic_store_explicit(&ready, 1, memory_order_release)
#define PASSED() atomic_load_explicit(&ready, memory_order_relaxed)
#include "message-relaxed-store.c"
