// expect: terminating
int main(void)
{
    int i = 0;
    for (i = 0; i < 4; i++)
        if (i == 3)
            goto out;
    out:
    return 0;
}
