// expect: nonterminating
// ilp32: terminating
int main(void)
{
    long less = -1;
    unsigned more = 1;
    while (less < more) {
        more = 3 - more;
    }
    return 0;
}
