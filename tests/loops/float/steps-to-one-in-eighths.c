// expect: terminating
int main(void)
{
    int n = 0;
    for (float x = 0; x != 1.0f; x += 0.125f)
        n = !n;
    return n;
}
