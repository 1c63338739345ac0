// expect: terminating
struct bits {
    unsigned count : 4, rest : 4;
};

int main(void)
{
    struct bits b = {0, 0};
    while (b.count < 9)
        b.count++;
    return 0;
}
