// expect: error kind=invalid-call line=11
// An exception in place of the jump would release what the string holds.
#include <csetjmp>
#include <string>

static std::jmp_buf back;

static void leave(int n)
{
    if (n == 0)
        std::longjmp(back, 1);
    leave(n - 1);
}

static void use(int n)
{
    std::string text(100, 'x');
    leave(n);
    text.clear();
}

int main()
{
    if (setjmp(back) == 0)
        use(2);
}
