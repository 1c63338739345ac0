// expect: error kind=data-race line=10|19
// suppressed: 10 data-race
// A race is reported unless both of its accesses are suppressed. Its neighbour is race.c.
#include <pthread.h>

static int hits;

static void *work(void *unused)
{
    hits = 1; // impasse: suppress data-race
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    hits = 2;
    return 0;
}
