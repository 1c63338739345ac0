// expect: terminating
int main(void)
{
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (j < 3)
            j = j + 1;
    }
    return 0;
}
