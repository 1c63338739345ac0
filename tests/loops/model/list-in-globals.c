// expect: terminating
// ilp32: terminating
struct node {
    const struct node *next;
    const char *name;
    long value;
};

static const struct node third = {0, "three", 3};
static const struct node second = {&third, "two", 2};
static struct node first = {&second, "one", 1};
static const struct node *const start[] = {&third, &second, &first};

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        for (const struct node *node = start[i]; node; node = node->next) {
            sum += node->value * node->name[0];
        }
    }
    while (sum != 3 * 't' + 2 * 't' + 3 * 't' + 'o' + 2 * 't' + 3 * 't') {
    }
    return 0;
}
