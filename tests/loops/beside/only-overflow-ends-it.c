// expect: unknown reason=-fwrapv
// flags: --max-time 20

int main(void)
{
    int n = 0, x = 1;
    while (n >= 0) {
        n++;
        x = -x;
    }
    return x;
}
