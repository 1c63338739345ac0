/* Readers and writers under a reader-writer lock, forever.
   As programs/rwlock.c: each read and write of the two shared variables is a step. */
#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte readers;
bool writer;
bool a, b;

proctype read() {
    bool seen;
again:
    atomic { !writer -> readers++ }
    seen = a;
    d_step { assert(seen == b); seen = false }
    readers--;
    goto again
}

proctype write() {
    bool seen;
again:
    atomic { !writer && readers == 0 -> writer = true }
    seen = a;
    d_step { a = !seen; seen = false }
    seen = b;
    d_step { b = !seen; seen = false }
    writer = false;
    goto again
}

init {
    byte i;
    do
    :: i < READERS -> run read(); i++
    :: i >= READERS && i < READERS + WRITERS -> run write(); i++
    :: i == READERS + WRITERS -> break
    od
}
