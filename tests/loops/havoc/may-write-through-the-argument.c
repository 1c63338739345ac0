// expect: unknown
// flags: --unknown-functions havoc --max-work 2
void fill(int *to);

int main(void)
{
    int left[2] = {5, 5};
    while (left[0] > 0) {
        left[0]--;
        fill(left);
    }
    return 0;
}
