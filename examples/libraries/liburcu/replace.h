// A reader uses an object while a writer replaces it. The writer frees it after a grace period.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

struct box { int value; };
static struct box *current;

static void *reader(void *unused)
{
    rcu_register_thread();
    rcu_read_lock();
    struct box *box = rcu_dereference(current);
    assert(box->value == 1 || box->value == 2);
    rcu_read_unlock();
    rcu_unregister_thread();
    return unused;
}

int main(void)
{
    struct box *old = malloc(sizeof *old), *new = malloc(sizeof *new);
    old->value = 1;
    new->value = 2;
    current = old;
    pthread_t other;
    pthread_create(&other, 0, reader, 0);
    rcu_assign_pointer(current, new);
#ifndef NO_GRACE_PERIOD
    synchronize_rcu();
#endif
    free(old);
    pthread_join(other, 0);
    free(new);
}
