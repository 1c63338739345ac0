// expect: unknown reason=__VERIFIER_nondet_pointer
// broken: terminating
// An address that is an input may be null or not. With -DBROKEN: It is that of a variable.
void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    int n = 0;
#ifdef BROKEN
    int *p = &n;
#else
    int *p = __VERIFIER_nondet_pointer();
#endif
    while (!p)
        n = 1;
    return n;
}
