// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 8;
    switch (__VERIFIER_nondet_int() & 3) {
    case 0:
        do {
            n--;
        case 1:
            n++;
        case 2:
            n--;
        case 3:
            n++;
        } while (n > 0);
    }
    return 0;
}
