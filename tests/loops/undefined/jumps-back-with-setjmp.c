// expect: unknown
// flags: --max-work 2
#include <setjmp.h>

static jmp_buf again;

int main(void)
{
    int volatile n = 0;
    setjmp(again);
    if (n++ < 3)
        longjmp(again, 1);
    return 0;
}
