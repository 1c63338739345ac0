// expect: unknown undefined=undefined-value truth=nonterminating
// flags: --max-work 2
int main(void)
{
    float large = 300;
    unsigned char rounded = 0;
    unsigned n = 1;
    while (n != 0) {
        n *= 3;
        rounded = (unsigned char)(large * large * large * large);
    }
    return rounded;
}
