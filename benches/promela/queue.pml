/* A bounded queue with condition variables: two producers, two consumers.
   As programs/queue.cpp: what is shared is read in a step and written in another. Waiting unlocks
   and begins to wait in one step, and may end without a signal; a signal wakes any one who waits. */
#ifndef ITEMS
#define ITEMS 3
#endif
#define CAPACITY 2
#include "lock.pml"

bool guard;
bool not_full[4], not_empty[4];
byte items[CAPACITY], first, count;
byte sums[2];
bool ended[4];

#define wait(condition) \
    atomic { \
        unlock(guard); \
        if \
        :: condition[_pid - 1] = true \
        :: skip \
        fi \
    } \
    atomic { !condition[_pid - 1] && !guard -> guard = true }

#define notify_one(condition) \
    atomic { \
        if \
        :: condition[0] -> condition[0] = false \
        :: condition[1] -> condition[1] = false \
        :: condition[2] -> condition[2] = false \
        :: condition[3] -> condition[3] = false \
        :: !condition[0] && !condition[1] && !condition[2] && !condition[3] \
        fi \
    }

proctype producer(byte me) {
    byte item = 1, at, value;
again:
    lock(guard);
    do
    :: count < CAPACITY -> break
    :: count == CAPACITY -> wait(not_full)
    od;
    at = first;
    value = count;
    count = value + 1;
    d_step { items[(at + value) % CAPACITY] = item; at = 0; value = 0 }
    notify_one(not_empty);
    atomic {
        unlock(guard);
        item++;
        if
        :: item <= ITEMS -> goto again
        :: item > ITEMS
        fi
    }
    ended[me] = true
}

proctype consumer(byte me) {
    byte turn, at, value, item;
again:
    lock(guard);
    do
    :: count > 0 -> break
    :: count == 0 -> wait(not_empty)
    od;
    at = first;
    d_step { item = items[at]; at = 0 }
    at = first;
    d_step { first = (at + 1) % CAPACITY; at = 0 }
    value = count;
    d_step { count = value - 1; value = 0 }
    notify_one(not_full);
    unlock(guard);
    value = sums[me];
    atomic {
        sums[me] = value + item;
        value = 0;
        item = 0;
        turn++;
        if
        :: turn < ITEMS -> goto again
        :: turn == ITEMS
        fi
    }
    ended[2 + me] = true
}

init {
    run producer(0);
    run producer(1);
    run consumer(0);
    run consumer(1);
    ended[0];
    ended[1];
    ended[2];
    ended[3];
    assert(sums[0] + sums[1] == ITEMS * (ITEMS + 1))
}
