// expect: unknown
// flags: --max-time 5
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
