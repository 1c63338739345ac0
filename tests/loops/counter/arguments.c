// expect: terminating
int main(int argc, char **argv)
{
    (void)argv;
    int n = 0;
    for (int i = 1; i < argc; i++)
        n++;
    return n;
}
