// expect: verified
// broken: error kind=hang line=28
// Three threads meet twice; each waits for the phase to change. With -DBROKEN: Three threads meet
// twice. One that wakes late finds the first arrivals of the next meeting, and takes them for its
// own.
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here, phase;

static void meet(void)
{
    pthread_mutex_lock(&guard);
#ifndef BROKEN
    int mine = phase;
#endif
    if (++here == 3) {
        here = 0;
        phase = !phase;
        pthread_cond_broadcast(&all_here);
    } else {
#ifdef BROKEN
        while (here != 0)
#else
        while (phase == mine)
#endif
            pthread_cond_wait(&all_here, &guard);
    }
    pthread_mutex_unlock(&guard);
}

static void *work(void *none)
{
    for (int round = 0; round < 2; round++)
        meet();
    return none;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    work(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
