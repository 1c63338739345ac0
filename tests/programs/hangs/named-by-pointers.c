// expect: verified
// broken: error kind=hang message="can never lock list->head->"
// Locks in the nodes of a list are taken in the order of the list. With -DBROKEN: They are taken in
// different orders. They are named by the way to them.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    pthread_mutex_t lock;
};

struct list {
    struct node *head;
};

static struct list *list;

static void *walk(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&list->head->lock);
    pthread_mutex_lock(&list->head->next->lock);
    pthread_mutex_unlock(&list->head->next->lock);
    pthread_mutex_unlock(&list->head->lock);
    return NULL;
}

int main(void)
{
    list = calloc(1, sizeof *list);
    for (int n = 0; n < 2; n++) {
        struct node *node = calloc(1, sizeof *node);
        pthread_mutex_init(&node->lock, NULL);
        node->next = list->head;
        list->head = node;
    }
    pthread_t walker;
    pthread_create(&walker, NULL, walk, NULL);
#ifdef BROKEN
    pthread_mutex_lock(&list->head->next->lock);
    pthread_mutex_lock(&list->head->lock);
#else
    pthread_mutex_lock(&list->head->lock);
    pthread_mutex_lock(&list->head->next->lock);
#endif
    pthread_mutex_unlock(&list->head->lock);
    pthread_mutex_unlock(&list->head->next->lock);
    pthread_join(walker, NULL);
    free(list->head->next);
    free(list->head);
    free(list);
}
