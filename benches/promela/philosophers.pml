/* Dining philosophers with ordered forks, eating forever.
   As programs/philosophers.c: the number of users of a fork is read in a step and written in another. */
#ifndef N
#define N 4
#endif
#include "lock.pml"

bool forks[N];
byte users[N];

proctype philosopher(byte left, right, first, second) {
    byte value;
again:
    lock(forks[first]);
    lock(forks[second]);
    value = users[left];
    d_step { users[left] = value + 1; value = 0 }
    value = users[right];
    d_step { users[right] = value + 1; value = 0 }
    assert(users[left] == 1);
    assert(users[right] == 1);
    value = users[left];
    d_step { users[left] = value - 1; value = 0 }
    value = users[right];
    d_step { users[right] = value - 1; value = 0 }
    unlock(forks[second]);
    unlock(forks[first]);
    goto again
}

init {
    byte i;
    do
    :: i < N - 1 -> run philosopher(i, i + 1, i, i + 1); i++
    :: i == N - 1 -> break
    od;
    run philosopher(N - 1, 0, 0, N - 1)
}
