// expect: error kind=invalid-call line=6 message="an integer of 64 bits"
static long answer(void) { return 42; }
int main(void)
{
    int (*f)(void) = (int (*)(void))(void *)answer;
    return f() - 42;
}
