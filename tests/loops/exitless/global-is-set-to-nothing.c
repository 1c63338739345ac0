// expect: unknown undefined=undefined-value

int mode;

int main(void)
{
    int x;
    unsigned n = 0;
    mode = x;
    for (;;) {
        n++;
        if (n > 100000)
            n = mode ? 5 : 7;
    }
}
