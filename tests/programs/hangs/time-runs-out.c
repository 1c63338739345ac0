// expect: inconclusive reason="unless more time passes than the machine's clocks show"
// clocks: verified
// flags: --sections=user
// Each wait ends, but the machine's clocks show only a few times.
#include <impasse/section.h>
#include <time.h>

static void wait_a_second(void)
{
    IMPASSE_MUST_RETURN;
    time_t end = time(0) + 1;
    while (time(0) < end)
        ;
}

int main(void)
{
    for (;;)
        wait_a_second();
}
