// expect: nonterminating
struct counter {
    int value, limit, step;
};

int main(void)
{
    struct counter c = {0, 10, 0};
    while (c.value < c.limit)
        c.value += c.step;
    return 0;
}
