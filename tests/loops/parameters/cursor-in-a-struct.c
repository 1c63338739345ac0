// expect: nonterminating
// flags: --main f

struct reader {
    unsigned at, end, step;
};
unsigned f(struct reader *r)
{
    unsigned n = 0;
    while (r->at < r->end) {
        r->at += r->step & 3;
        n++;
    }
    return n;
}
