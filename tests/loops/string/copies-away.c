// expect: terminating
int main(void)
{
    char s[8] = "ab", t[8];
    int i = 0;
    while (s[i]) {
        t[i] = s[i];
        i++;
    }
    return 0;
}
