// expect: nonterminating condition=environment
static int a, b;
int main(void)
{
    if ((unsigned long)&a < (unsigned long)&b)
        for (;;)
            ;
    return 0;
}
