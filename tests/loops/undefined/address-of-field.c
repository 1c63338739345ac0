// expect: unknown
// flags: --max-work 2
struct pair {
    int first, second;
};

int main(void)
{
    struct pair b[2];
    struct pair *p = b;
    while (&p->second > &b->first)
        p++;
    return 0;
}
