// expect: terminating arithmetic=integer
// flags: --arithmetic integer --main f
// What main does says nothing of a function under test.
void f(void)
{
    unsigned i = 0;
    while (i < 4294967295u)
        i += 2147483648u;
}

int main(void)
{
    return 0;
}
