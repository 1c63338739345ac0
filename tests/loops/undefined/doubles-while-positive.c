// expect: unknown undefined=signed-overflow
// flags: --max-work 2
// With -O2 it runs forever, with -O0 it ends: only overflow ends it.
int main(void)
{
    int i = 1;
    while (i > 0)
        i = 2 * i;
    return i;
}
