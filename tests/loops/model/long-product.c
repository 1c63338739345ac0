// expect: nonterminating
// ilp32: unknown undefined=signed-overflow
int main(void)
{
    long side = 65536, area = side * side;
    while (area > 0) {
        area = area ^ 1;
    }
    return 0;
}
