// expect: verified
// suppressed: 17 data-race; 30 data-race
// broken: error kind=data-race
// broken-suppressed: 30 data-race
// Accesses in atomic sections are compared with what other threads access next.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int hits;

static void *work(void *unused)
{
#ifndef BROKEN
    // impasse: suppress data-race
    hits = 1;
#else
    hits = 1;
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __VERIFIER_atomic_begin();
    // impasse: suppress data-race
    hits = 2;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
