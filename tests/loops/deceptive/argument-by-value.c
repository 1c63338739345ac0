// expect: nonterminating
struct arguments {
    long numbers[5];
    int *result;
};

static void f(struct arguments a)
{
    *a.result = 10;
}

int main(void)
{
    int i = 10;
    struct arguments a = {{0}, &i};
    while (i > 0) {
        i--;
        f(a);
    }
    return 0;
}
