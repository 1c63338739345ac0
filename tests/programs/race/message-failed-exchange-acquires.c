// expect: verified
// A compare-exchange that fails may acquire.
#define PASS() atomic_store_explicit(&ready, 1, memory_order_release)
#define PASSED() (!atomic_compare_exchange_strong_explicit(&ready, &(int){0}, 2, memory_order_acquire, memory_order_acquire))
#include "message-relaxed-store.c"
