// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

static int count_pairs(char *from, char *end)
{
    int pairs = 0;
    for (; from != end; from += 2)
        pairs = 1;
    return pairs;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 1)
        count = 1;
    char *bytes = __builtin_alloca(count);
    return count_pairs(bytes, bytes + count);
}
