// expect: terminating
int main(void)
{
    int n = 10;
    int *p = &n;
    for (int i = 0; i != *p; i += 2) {
    }
    return 0;
}
