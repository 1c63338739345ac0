// expect: nonterminating
// ilp32: terminating
struct record {
    char kind;
    long long number;
};

int main(void)
{
    int room = 100;
    while (room > 0) {
        room -= (int)(sizeof(struct record) % 16);
    }
    return 0;
}
