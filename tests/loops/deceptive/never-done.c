// expect: unknown truth=nonterminating
// flags: --max-work 2
// Each turn makes an object, at an address of its own.
#include <stdlib.h>

struct node {
    int done;
};

int main(void)
{
    struct node *last = 0;
    while (1) {
        struct node *node = calloc(1, sizeof *node);
        if (!node)
            return 0;
        if (last && last->done)
            return 1;
        last = node;
    }
}
