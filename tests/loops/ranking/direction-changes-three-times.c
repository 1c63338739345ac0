// expect: terminating
// slow: 3 s
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), left = 3;
    int up[1] = {1};
    while (x > 0 && x < 1000 && left > 0) {
        if (up[0]) {
            x++;
            if (x == 900) {
                up[0] = 0;
                left--;
            }
        } else {
            x--;
            if (x == 100) {
                up[0] = 1;
                left--;
            }
        }
        if (x > 900 && up[0]) {
            up[0] = 0;
            left--;
        }
    }
    return 0;
}
