// expect: terminating
int main(void)
{
    int table[256];
    for (int i = 0; i < 256; i++)
        table[i] = i;
    return table[3];
}
