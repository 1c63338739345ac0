// expect: unknown
// flags: --max-work 2
static void walk(const char *b)
{
    for (const char *p = b; p >= b; p++) {
    }
}

int main(int argc, char **argv)
{
    walk(argv[argc - 1]);
    return 0;
}
