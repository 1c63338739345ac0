// expect: nonterminating
int main(void)
{
    char s[8] = "ab";
    int i = 0;
    while (s[i]) {
        s[i + 1] = s[i];
        i = (i + 1) % 4;
    }
    return 0;
}
