// expect: error kind=invalid-call line=5
void __VERIFIER_assume();
int main(void)
{
    __VERIFIER_assume();
}
