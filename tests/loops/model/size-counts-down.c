// expect: nonterminating
// ilp32: nonterminating
#include <stddef.h>

int main(void)
{
    int sum = 0;
    for (size_t i = 3; i >= 0; i--) {
        sum = sum ^ (int)(i & 1);
    }
    return sum;
}
