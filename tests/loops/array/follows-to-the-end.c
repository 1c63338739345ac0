// expect: terminating
int main(void)
{
    int next[5] = {1, 2, 3, 4, 0};
    int at = 0;
    while (at != 4)
        at = next[at];
    return 0;
}
