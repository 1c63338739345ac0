// expect: unknown reason=nowhere
int next_size(void);

int main(void)
{
    int n = next_size();
    while (n > 0)
        n--;
    return n;
}
