/* Threads that increment a counter under a mutex.
   As programs/counter.cpp: the counter is read in a step and written in another. */
#ifndef THREADS
#define THREADS 4
#endif
#ifndef TURNS
#define TURNS 3
#endif
#include "lock.pml"

bool guard;
byte counter;
bool ended[THREADS];

proctype thread(byte me) {
    byte turn, value;
again:
    lock(guard);
    value = counter;
    d_step { counter = value + 1; value = 0 }
    atomic {
        unlock(guard);
        turn++;
        if
        :: turn < TURNS -> goto again
        :: turn == TURNS
        fi
    }
    ended[me] = true
}

init {
    byte i;
    do
    :: i < THREADS -> run thread(i); i++
    :: i == THREADS -> break
    od;
    i = 0;
    do
    :: i < THREADS -> ended[i]; i++
    :: i == THREADS -> break
    od;
    assert(counter == THREADS * TURNS)
}
