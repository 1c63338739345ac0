// expect: error kind=invalid-call line=7 message="returns nothing"
// C17, 6.5.2.2: the type of the call differs from that of the function.
static int answer(void) { return 42; }
int main(void)
{
    void (*f)(void) = (void (*)(void))(void *)answer;
    f();
}
