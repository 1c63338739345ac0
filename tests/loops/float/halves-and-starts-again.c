// expect: nonterminating
int main(void)
{
    float x = 1.0f;
    while (x > 0) {
        x = x / 2;
        if (x == 0)
            x = 0.5f;
    }
    return 0;
}
