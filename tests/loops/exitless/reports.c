// expect: nonterminating condition=none
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

static unsigned long served;
static double load;

static unsigned weigh(unsigned size)
{
    unsigned weight = 0;
    while (size > 3) {
        size /= 3;
        weight += size ^ weight << 1;
    }
    return weight;
}

static void report(unsigned long number, unsigned weight)
{
    load = load * 0.5 + weight;
    if (number % 1024 == 0)
        printf("%lu requests of %s, load %.2f\n", number, "clients", load);
    else if (weight > 7)
        fprintf(stderr, "weight %08x%%\n", weight);
}

int main(void)
{
    for (;;) {
        unsigned size = __VERIFIER_nondet_int();
        report(served, weigh(size ^ (unsigned)served));
        served++;
    }
}
