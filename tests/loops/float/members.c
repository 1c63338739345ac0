// expect: nonterminating
// ilp32: nonterminating
struct scale {
    float factor;
    double sum;
} scale = {0.1f, 0.1};

int main(void)
{
    float cells[3] = {1, 2, 3}, *cell = cells + 1;
    while (scale.factor < 1 && scale.sum < 1 && *cell > 0) {
        *cell = *cell * 2 / 2;
    }
    return 0;
}
