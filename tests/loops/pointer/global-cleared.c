// expect: terminating
static int flag = 5;

static void touch(void)
{
    flag--;
}

int main(void)
{
    while (flag)
        touch();
    return 0;
}
