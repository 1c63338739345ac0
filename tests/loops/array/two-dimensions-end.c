// expect: terminating
int main(void)
{
    int m[2][2] = {{0, 1}, {2, 0}};
    int x = 0;
    while (x < 2)
        x = m[x][x ? 0 : 1];
    return 0;
}
