// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 0, y = 1, z = 1;
    while (y == 2 * x + 1 && z == (x + 1) * (x + 2) / 2) {
        x++;
        y += 2;
        z += y;
    }
    return 0;
}
