// expect: unknown
// flags: --unknown-functions havoc --max-work 2
void visit(int i);

int bound = 10;

int main(void)
{
    for (int i = 0; i < bound; i++) {
        visit(i);
        if (i > 1000)
            i = 0;
    }
    return 0;
}
