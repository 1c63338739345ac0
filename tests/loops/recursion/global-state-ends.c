// expect: terminating
static int depth = 3;

static void g(void)
{
    if (depth != 0) {
        depth = (depth + 1) % 5;
        g();
    }
}

int main(void)
{
    g();
    return 0;
}
