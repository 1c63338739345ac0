// expect: terminating condition=environment
// flags: --unknown-functions havoc
void visit(int i);

int main(void)
{
    for (int i = 0; i < 100000; i++)
        visit(i);
    return 0;
}
