// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// Over unbounded integers it ends; on the machine it never does.
int main(void)
{
    unsigned char c = 0;
    while (c < 255)
        c += 2;
    return 0;
}
