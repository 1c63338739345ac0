// expect: terminating
#include <string.h>

static char text[] = "banana";

int main(void)
{
    char *p;
    while ((p = strchr(text, 'a')))
        *p = 'b';
    return 0;
}
