// expect: terminating
// broken: nonterminating
struct counter {
    int value, limit, step;
};

int main(void)
{
#ifdef BROKEN
    struct counter c = {0, 10, 0};
#else
    struct counter c = {0, 10, 3};
#endif
    while (c.value < c.limit)
        c.value += c.step;
    return 0;
}
