// expect: terminating
int main(void)
{
    int i = 0;
    while (i < 10) {
        i++;
        if (i == 11)
            i = 0;
    }
    return 0;
}
