// expect: terminating
int main(void)
{
    int i = 0;
    while (i < 10) {
        i++;
    }
    return 0;
}
