// expect: nonterminating
// ilp32: terminating
#include <stdarg.h>

struct pair {
    char first;
    long second;
};

static long long sum(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    long long all = 0;
    for (int i = 0; i < count; i++) {
        all += va_arg(list, int) + va_arg(list, long long) + va_arg(list, struct pair).second;
        all += (long long)va_arg(list, double) + *va_arg(list, long *);
    }
    all += va_arg(again, int);
    va_end(list);
    va_end(again);
    return all;
}

int main(void)
{
    long one = 1;
    struct pair pair = {'x', 100};
    long long all = sum(2, 3, 4000000000ll, pair, 2.5, &one, 5, 6ll, pair, 7.0, &one);
    while (all == 4000000000ll + 3 + 6 + 5 + 200 + 2 + 7 + 2 + 3 && sizeof(long) == 8) {
        all = -all;
        all = -all;
    }
    while (all != 4000000228ll) {
    }
    return 0;
}
