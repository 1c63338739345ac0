// expect: terminating
int main(void)
{
    unsigned ring[4] = {0};
    unsigned at = 0;
    while (ring[at % 4] < 9) {
        ring[at % 4] += at % 3 + 1;
        at += 3;
    }
    return 0;
}
