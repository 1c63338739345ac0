// expect: error kind=use-after-return line=15
// A jump ends the scope of a variable, whose next one is another object.
#include <setjmp.h>

static jmp_buf b;
static int *kept;

int main(void)
{
    volatile int count = 0;
    setjmp(b);
    count++;
    {
        int number = 3;
        if (count == 2) return *kept - 3;
        kept = &number;
        longjmp(b, 1);
    }
}
