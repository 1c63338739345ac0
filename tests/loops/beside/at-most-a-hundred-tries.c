// expect: terminating

int main(void)
{
    int tries = 0, x = 3;
    while (x != 4 && tries < 100) {
        x = 7 - x;
        x = 7 - x;
        tries++;
    }
    return tries;
}
