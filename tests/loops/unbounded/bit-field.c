// expect: unknown truth=nonterminating
// flags: --arithmetic integer --only terminating
// The lowest bits of 131072 are zero, and the loop does not end.
union bits {
    int word;
    struct {
        int low : 17;
        int high : 15;
    } part;
};

int main(void)
{
    union bits u;
    u.word = 131072;
    while (u.part.low == 0) {
    }
    return 0;
}
