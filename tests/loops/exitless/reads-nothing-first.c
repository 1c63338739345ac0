// expect: unknown undefined=undefined-value

int main(void)
{
    unsigned n = 0;
    int x, y;
    for (;;) {
        n++;
        if (n > 100000 && x)
            y = 1;
        else
            y = 2;
        n += y;
    }
}
