// expect: terminating
int main(void)
{
    float x = 1.0f;
    while (x > 0) {
        x = x / 2;
    }
    return 0;
}
