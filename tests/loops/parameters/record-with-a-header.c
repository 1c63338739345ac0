// expect: terminating
// flags: --main f

int f(const unsigned char *bytes)
{
    unsigned at = 0, count = 0;
    while (at < 8) {
        at += bytes[at] + 1;
        count++;
    }
    return count;
}
