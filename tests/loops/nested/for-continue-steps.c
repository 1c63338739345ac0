// expect: terminating
int main(void)
{
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            continue;
    }
    return 0;
}
