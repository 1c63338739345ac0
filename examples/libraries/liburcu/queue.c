// expect: verified
// flags: --volatile atomic
// Two threads put items into a queue whose writers wait for nobody; a third takes them out.
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>
struct item { struct cds_wfcq_node node; int value; };
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2];
static void *put(void *which)
{
    struct item *item = which;
    cds_wfcq_node_init(&item->node);
    cds_wfcq_enqueue(&head, &tail, &item->node);
    return 0;
}
int main(void)
{
    cds_wfcq_init(&head, &tail);
    pthread_t a, b;
    pthread_create(&a, 0, put, &items[0]);
    pthread_create(&b, 0, put, &items[1]);
    int seen = 0;
    while (seen < 2)
        if (cds_wfcq_dequeue_blocking(&head, &tail))
            seen++;
    assert(cds_wfcq_empty(&head, &tail));
    pthread_join(a, 0);
    pthread_join(b, 0);
}
