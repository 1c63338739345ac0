// expect: verified
#define RELEASE memory_order_acq_rel
#include "reference-count-relaxed.c"
