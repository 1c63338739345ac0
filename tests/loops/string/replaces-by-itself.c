// expect: nonterminating
#include <string.h>

static char text[] = "banana";

int main(void)
{
    char *p;
    while ((p = strchr(text, 'a')))
        *p = 'a';
    return 0;
}
