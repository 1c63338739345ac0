// expect: nonterminating
// strtol gives a pointer into its argument away.
#include <stdlib.h>

int main(void)
{
    char text[4] = "7x";
    char *end;
    strtol(text, &end, 10);
    int turn = 0;
    while (text[1] != 'y') {
        *end = 'z';
        turn = !turn;
    }
    return turn;
}
