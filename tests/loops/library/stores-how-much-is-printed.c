// expect: nonterminating
// Printing with %n stores 0 in i again and again.
#include <stdio.h>
int main(void)
{
    int i = 0;
    while (i < 3) {
        i++;
        printf("%n", &i);
    }
    return 0;
}
