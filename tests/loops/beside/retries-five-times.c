// expect: terminating

static int ready(int attempt)
{
    return attempt > 5;
}

int main(void)
{
    int attempts = 0, delay = 1;
    while (!ready(attempts)) {
        attempts++;
        delay = delay < 64 ? delay * 2 : 1;
    }
    return attempts;
}
