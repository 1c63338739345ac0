// expect: nonterminating
// The copy is changed, and not the original.
struct pair {
    int x, y;
};

int main(void)
{
    struct pair a = {1, 2}, b;
    while (a.x < a.y) {
        b = a;
        b.x++;
    }
    return 0;
}
