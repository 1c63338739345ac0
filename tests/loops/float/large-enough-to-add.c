// expect: terminating
int main(void)
{
    float x = 16777208.0f;
    while (x < 16777216.0f)
        x = x + 1.0f;
    return 0;
}
