// expect: terminating
int main(void)
{
    short i = 0;
    while (i < 30000)
        i++;
    return i;
}
