// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// Each round takes one away.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 0, left = __VERIFIER_nondet_int();
    while (state != 3) {
        switch (state) {
        case 0:
            state = left > 0 ? 1 : 3;
            left--;
            break;
        case 1:
            state = 2;
            break;
        case 2:
            state = 0;
            break;
        }
    }
    return 0;
}
