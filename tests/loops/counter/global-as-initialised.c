// expect: terminating
// broken: nonterminating
// A loop counts in a global variable, which nothing but its initialiser has written before.
extern int __VERIFIER_nondet_int(void);

static int count;
static int step = 3;

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    while (count < limit && limit < 1000000) {
#ifdef BROKEN
        step = -step;
#endif
        count += step;
    }
    return 0;
}
