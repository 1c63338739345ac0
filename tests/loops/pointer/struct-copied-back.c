// expect: terminating
struct pair {
    int x, y;
};

int main(void)
{
    struct pair a = {1, 9}, b;
    while (a.x < a.y) {
        b = a;
        b.x++;
        a = b;
    }
    return 0;
}
