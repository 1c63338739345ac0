// expect: terminating
// broken: nonterminating
static int depth = 3;

static void g(void)
{
    if (depth != 0) {
#ifdef BROKEN
        depth = depth % 5 + 1;
#else
        depth = (depth + 1) % 5;
#endif
        g();
    }
}

int main(void)
{
    g();
    return 0;
}
