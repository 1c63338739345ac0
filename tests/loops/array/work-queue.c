// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

struct queue {
    int items[4];
    unsigned head, tail;
};

int main(void)
{
    struct queue q = {{0}, 0, 0};
    q.items[q.tail++] = __VERIFIER_nondet_int();
    q.items[q.tail++] = __VERIFIER_nondet_int();
    while (q.head != q.tail) {
        int x = q.items[q.head];
        (void)x;
#ifdef BROKEN
        q.head = (q.head + 1) % 4; q.items[q.tail] = x; q.tail = (q.tail + 1) % 4;
#else
        q.head = (q.head + 1) % 4;
#endif
    }
    return 0;
}
