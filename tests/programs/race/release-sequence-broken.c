// expect: error kind=data-race line=29 message="thread 1 writes it at"
// A relaxed store of another thread ends the release sequence.
#define CONTINUE() atomic_store_explicit(&stage, 2, memory_order_relaxed)
#include "release-sequence.c"
