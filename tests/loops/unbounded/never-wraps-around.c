// expect: nonterminating
// flags: --arithmetic integer
// On the machine it ends, where i wraps around.
int main(void)
{
    unsigned i = 1;
    while (i)
        i++;
    return 0;
}
