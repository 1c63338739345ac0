// expect: terminating
// slow: 5 s
extern int __VERIFIER_nondet_int(void);

static int greatest(const int *from, const int *end)
{
    int most = 0;
    for (; from != end; from++)
        if (*from > most)
            most = *from;
    return most;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    if (count < 1 || count > 1000000)
        count = 1;
    int *numbers = __builtin_alloca(count * sizeof(int));
    for (int i = 0; i < count; i++)
        numbers[i] = __VERIFIER_nondet_int();
    return greatest(numbers, numbers + count);
}
