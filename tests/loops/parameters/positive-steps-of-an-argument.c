// expect: terminating
// flags: --main f

unsigned f(unsigned from, unsigned char to, unsigned char step)
{
    if (step == 0)
        return 0;
    while (from < to)
        from += step;
    return from;
}
