// expect: verified
// flags: --memory-model auto
// Store buffering, with the default order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int read;

static void *other(void *unused)
{
    y = 1;
    read = x;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    x = 1;
    int mine = y;
    pthread_join(thread, 0);
    assert(mine || read);
}
