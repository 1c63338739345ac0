// expect: unknown reason=-fwrapv
// flags: --max-work 4

int main(void)
{
    int n = 0, x = 1;
    while (n >= 0) {
        n++;
        x = -x;
    }
    return x;
}
