// expect: inconclusive reason="__VERIFIER_nondet_float"
int __VERIFIER_nondet_float();
int main(void)
{
    return __VERIFIER_nondet_float() ? 0 : 0;
}
