/* Peterson's filter lock for N threads that take it forever: mutual exclusion.
   As programs/peterson3.cpp: each read, write and read-modify-write of an atomic is a step. */
#ifndef N
#define N 3
#endif

byte level[N], last[N], inside;

proctype user(byte me) {
    byte l = 1, other;
again:
    level[me] = l;
    last[l] = me;
wait:
    do
    :: atomic { other == me || level[other] < l ->
        other++;
        if
        :: other == N -> other = 0; break
        :: else
        fi }
    :: atomic { other != me && level[other] >= l -> other = 0 }
        if
        :: last[l] == me -> goto wait
        :: last[l] != me -> break
        fi
    od;
    atomic {
        l++;
        if
        :: l < N -> goto again
        :: l == N -> assert(inside == 0); inside++; l = 1
        fi
    }
    inside--;
    level[me] = 0;
    goto again
}

init {
    byte i = 1;
    do
    :: i < N -> run user(i); i++
    :: i == N -> break
    od;
    run user(0)
}
