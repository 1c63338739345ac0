// expect: nonterminating
// ilp32: terminating
static long halve(long x) { return x / 2; }
static long stay(long x) { return x; }

static long (*const steps[])(long) = {halve, stay};

int main(void)
{
    long (*step)(long) = steps[(char *)&steps[1] - (char *)&steps[0] == 8];
    for (long x = 1000; x > 0; x = step(x)) {
    }
    return 0;
}
