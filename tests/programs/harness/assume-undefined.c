// expect: error kind=undefined-value
void __VERIFIER_assume(char);
int main(void)
{
    char unset;
    __VERIFIER_assume(unset);
}
