// expect: unknown undefined=undefined-value
// flags: --max-work 2
// clang: -w
int main(void)
{
    int n;
    int *p = &n;
    for (int i = 0; i != *p; i += 2) {
    }
    return 0;
}
