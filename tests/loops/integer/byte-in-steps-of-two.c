// expect: unknown
// flags: --arithmetic integer --max-time 5
// Over unbounded integers it ends, which is not found; on the machine it never does.
int main(void)
{
    unsigned char c = 0;
    while (c < 255)
        c += 2;
    return 0;
}
