// expect: terminating
// broken: nonterminating
// With -DBROKEN: Three bits do not reach nine.
struct bits {
#ifdef BROKEN
    unsigned count : 3, rest : 5;
#else
    unsigned count : 4, rest : 4;
#endif
};

int main(void)
{
    struct bits b = {0, 0};
    while (b.count < 9)
        b.count++;
    return 0;
}
