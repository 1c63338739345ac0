// expect: nonterminating inputs=2
// broken: terminating
// Both halves of an input of 128 bits can be chosen in each iteration. With -DBROKEN: It decides
// nothing.
__int128 __VERIFIER_nondet_int128(void);

int main(void)
{
    int left = 3;
    while (left > 0) {
        __int128 x = __VERIFIER_nondet_int128();
#ifdef BROKEN
        left--;
#endif
        if (x == 3)
            break;
    }
    return 0;
}
