// expect: terminating
// broken: nonterminating
extern char __VERIFIER_nondet_char(void);

#include <string.h>

int main(void)
{
    char s[4];
    for (int i = 0; i < 3; i++)
        s[i] = __VERIFIER_nondet_char();
    s[3] = 0;
    char from = 'x', to = 'y';
    (void)from, (void)to;
    char *found;
    while ((found = strchr(s, 'x')))
#ifdef BROKEN
        *found = from;
#else
        *found = to;
#endif
    return 0;
}
