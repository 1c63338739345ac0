/* Threads that do what the arguments say, one argument a thread: a letter and a place for each operation. */
#include <impasse.h>
#include <stdatomic.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* What each thread has found out: a digit for each comparison, 1 or 2, to the base of 3. */
IMPASSE_OUTCOME(int, first);
IMPASSE_OUTCOME(int, second);

/* Each allocation that exists belongs to one place. */
static _Atomic(char *) owners[2];

struct thread {
	const char *operations;
	int *found;
};

static void *run(void *argument)
{
	struct thread *thread = argument;
	char *kept = NULL, *made = NULL;
	uintptr_t number = 0;
	for (const char *at = thread->operations; *at; at += 2) {
		_Atomic(char *) *owner = &owners[at[1] - '0'];
		char *expected = kept;
		int same = -1;
		switch (at[0]) {
		case 'm':
			/* Objects are told apart by where they are made. */
			made = at[1] == '0' ? malloc(1) : malloc(1);
			free(atomic_exchange(owner, made));
			break;
		case 'f':
			free(atomic_exchange(owner, NULL));
			break;
		case 'r': {
			char *old = atomic_exchange(owner, NULL);
			if (old)
				free(atomic_exchange(owner, realloc(old, 2)));
			break;
		}
		case 'g':
			kept = *owner;
			break;
		case 'c':
			same = kept == *owner;
			break;
		case 'w':
			same = kept == made;
			break;
		case 'x':
			same = atomic_compare_exchange_strong(owner, &expected, NULL);
			break;
		case 'n':
			number = ~(uintptr_t)*owner;
			break;
		case 'h':
			same = number == ~(uintptr_t)*owner;
			break;
		}
		if (same >= 0)
			*thread->found = *thread->found * 3 + 1 + same;
	}
	return NULL;
}

int main(int count, char **arguments)
{
	struct thread other = {count > 2 ? arguments[2] : "", &second};
	struct thread self = {arguments[1], &first};
	pthread_t id;
	pthread_create(&id, NULL, run, &other);
	run(&self);
	pthread_join(id, NULL);
}
