// expect: verified
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(_Bool);
int main(void)
{
    int tmp;
    for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), tmp = 0, __VERIFIER_spin_end(!tmp), tmp;)
        ;
}
