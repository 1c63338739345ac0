// expect: unknown truth=terminating
// flags: --main f --max-work 2

struct reader {
    unsigned at;
    unsigned short end, step;
};
unsigned f(struct reader *r)
{
    unsigned n = 0;
    while (r->at < r->end) {
        r->at += (r->step & 3) + 1;
        n++;
    }
    return n;
}
