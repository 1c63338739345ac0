// expect: nonterminating
// Three bits do not reach nine.
struct bits {
    unsigned count : 3, rest : 5;
};

int main(void)
{
    struct bits b = {0, 0};
    while (b.count < 9)
        b.count++;
    return 0;
}
