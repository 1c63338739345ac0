// expect: nonterminating iterations=256
// broken: terminating
// The state repeats after 256 iterations of twenty instructions and more.
#ifdef BROKEN
#define BOUND 2
#else
#define BOUND 31
#endif

unsigned char none = 0;

int main(void)
{
    unsigned short bound = BOUND;
    long number = 200;
    struct {
        unsigned first : 3;
        int second : 4;
    } fields = {0, 1};
    do {
        fields.second = (none | number) % 3;
        number = (number - 3) & 255;
    } while (bound > (unsigned char)(none + fields.second));
    return 0;
}
