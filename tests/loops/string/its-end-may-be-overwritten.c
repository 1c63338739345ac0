// expect: unknown
// flags: --max-work 2
// Two texts are compared. A letter at an index that is an input may have replaced the end of both.
extern char __VERIFIER_nondet_char(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}

int main(void)
{
    char one[20], other[20];
    for (int i = 0; i < 19; i++)
        one[i] = other[i] = __VERIFIER_nondet_char();
    one[19] = other[19] = 0;
    unsigned at = __VERIFIER_nondet_uint() % 20;
    one[at] = other[at] = 'x';
    return compare(one, other);
}
