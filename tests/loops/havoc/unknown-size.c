// expect: terminating condition=environment
// flags: --unknown-functions havoc
int next_size(void);

int main(void)
{
    int n = next_size();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum ^= next_size();
    return sum;
}
