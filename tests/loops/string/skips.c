// expect: terminating
// broken: nonterminating
extern char __VERIFIER_nondet_char(void);

#include <string.h>

int main(void)
{
    char s[8] = "a b c";
    s[1] = __VERIFIER_nondet_char();
    s[7] = 0;
    unsigned i = 1;
    while (i < strlen(s))
#ifdef BROKEN
        i += s[i] == ' ';
#else
        i += 1 + (s[i] == ' ');
#endif
    return 0;
}
