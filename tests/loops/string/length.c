// expect: terminating
#include <string.h>

static const char word[] = "termination";
static unsigned long n;

int main(void)
{
    n = strlen(word);
    while (n > 0)
        n--;
    return 0;
}
