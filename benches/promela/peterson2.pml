/* Peterson's lock for two threads that take it forever: mutual exclusion.
   As programs/peterson2.cpp: each read, write and read-modify-write of an atomic is a step. */
bool wants[2];
byte turn, inside;

proctype user(byte me) {
again:
    wants[me] = true;
    turn = 1 - me;
wait:
    if
    :: wants[1 - me]
    :: !wants[1 - me] -> goto enter
    fi;
    if
    :: turn == 1 - me -> goto wait
    :: turn != 1 - me
    fi;
enter:
    atomic { assert(inside == 0); inside++ }
    inside--;
    wants[me] = false;
    goto again
}

init {
    run user(1);
    run user(0)
}
