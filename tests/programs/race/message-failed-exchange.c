// expect: error kind=data-race line=23 message="thread 1 writes it at"
// A compare-exchange that fails has its failure order.
#define PASS() atomic_store_explicit(&ready, 1, memory_order_release)
#define PASSED() (!atomic_compare_exchange_strong_explicit(&ready, &(int){0}, 2, memory_order_acquire, memory_order_relaxed))
#include "message-relaxed-store.c"
