// expect: verified
// Sequentially consistent operations are release and acquire operations.
#define PASS() atomic_store(&ready, 1)
#define PASSED() atomic_load(&ready)
#include "message-relaxed-store.c"
