// expect: terminating
int main(void)
{
    float x = 0;
    while (x < 1000.0f)
        x += 1.0f;
    return 0;
}
