// expect: terminating
// ilp32: terminating
struct shape {
    const char *name;
    long long sides;
    double width;
};

static struct shape wider(struct shape shape)
{
    shape.width *= 2;
    shape.sides += shape.name[0] == 's';
    return shape;
}

int main(void)
{
    struct shape shape = {"square", 4, 1.5};
    int turns = 0;
    while (shape.width < 10) {
        shape = wider(shape);
        turns++;
    }
    while (turns != 3 || shape.sides != 7 || shape.name[1] != 'q') {
    }
    return 0;
}
