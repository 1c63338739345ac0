// expect: error kind=use-after-return line=10
// A block of a switch in a loop, left by `continue`.
int main(void)
{
    int *kept = 0;
    for (int i = 0; i < 2; i++)
        switch (i) {
        default: {
            int number = 5;
            if (kept) return *kept - 5;
            kept = &number;
            continue;
        }
        }
    return 0;
}
