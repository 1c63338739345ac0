// expect: nonterminating

static int ready(int attempt)
{
    return attempt < 0;
}

int main(void)
{
    int attempts = 0, delay = 1;
    while (!ready(delay)) {
        attempts++;
        delay = delay < 64 ? delay * 2 : 1;
    }
    return attempts;
}
