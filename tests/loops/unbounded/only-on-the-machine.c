// expect: unknown
// flags: --arithmetic integer --only terminating
// The proof that it ends on the machine says nothing of integers without bounds.
int main(void)
{
    unsigned i = 1;
    while (i)
        i++;
    return 0;
}
