/* A lock-free queue of one producer and one consumer, forever.
   As programs/spsc.cpp: each read and write of an index or a cell is a step. */
#ifndef CAPACITY
#define CAPACITY 4
#endif
#ifndef VALUES
#define VALUES 8
#endif

byte head, tail;
short cells[CAPACITY];

proctype producer() {
    short value;
    byte at;
again:
    at = tail;
    (at + 1) % CAPACITY != head;
    cells[at] = value;
    d_step { tail = (at + 1) % CAPACITY; value = (value + 1) % VALUES }
    goto again
}

proctype consumer() {
    short expected;
    byte at;
again:
    at = head;
    at != tail;
    assert(cells[at] == expected);
    d_step { head = (at + 1) % CAPACITY; expected = (expected + 1) % VALUES }
    goto again
}

init {
    run producer();
    run consumer()
}
