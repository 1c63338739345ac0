// expect: terminating
// broken: nonterminating
// slow: 9 s
// Two texts are compared; with -DBROKEN, the comparison stays at a common A.
extern char __VERIFIER_nondet_char(void);

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
#ifdef BROKEN
        if (*a == 'A')
            continue;
#endif
        a++;
        b++;
    }
    return *a - *b;
}

int main(void)
{
    char one[20], other[20];
    for (int i = 0; i < 19; i++) {
        one[i] = __VERIFIER_nondet_char();
        other[i] = __VERIFIER_nondet_char();
    }
    one[19] = other[19] = 0;
    return compare(one, other);
}
