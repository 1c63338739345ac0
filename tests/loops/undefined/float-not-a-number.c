// expect: unknown
// flags: --max-work 2
extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    while (!(x >= 1.0f) && !(x < 1.0f))
        x = x + 1.0f;
    return 0;
}
