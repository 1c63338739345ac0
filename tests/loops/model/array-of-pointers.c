// expect: terminating
// ilp32: nonterminating line=7
int main(void)
{
    char *names[6];
    unsigned bytes = sizeof names;
    while (bytes < 48) {
        names[0] = (char *)names;
    }
    return 0;
}
