// expect: nonterminating line=16
// ilp32: nonterminating line=16
// broken: terminating
// broken-ilp32: terminating
// An input with 64 in its name has 64 bits whatever the size of long. With -DBROKEN: One of 32 bits
// has none of the upper ones.
#include <stdint.h>

uint32_t __VERIFIER_nondet_u32(void);
uint64_t __VERIFIER_nondet_u64(void);

int main(void)
{
#ifndef BROKEN
    uint64_t n = __VERIFIER_nondet_u64();
    while (n >> 33)
        ;
#else
    uint64_t n = __VERIFIER_nondet_u32();
    while (n >> 33)
        ;
#endif
    return 0;
}
