// expect: terminating
int main(void)
{
    double large = 1e10;
    int rounded = (int)large;
    while (rounded > 0)
        rounded--;
    return 0;
}
