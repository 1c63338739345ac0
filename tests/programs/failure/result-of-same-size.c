// expect: verified
static unsigned answer(void) { return 42; }
int main(void)
{
    int (*f)(void) = (int (*)(void))(void *)answer;
    (void)f();
    return f() - 42;
}
