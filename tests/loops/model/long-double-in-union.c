// expect: nonterminating
// ilp32: terminating
union number {
    long double wide;
    char bytes[12];
};

int main(void)
{
    union number numbers[2];
    char *end = (char *)(numbers + 1);
    while (end - (char *)numbers > 12) {
        end = (char *)(numbers + 1);
    }
    return 0;
}
