/* A reader announces which object it uses; the object, once unlinked, is freed if none uses it. */
#include "structure.h"

static _Atomic(atomic_int *) shared, used;

static void *reader(void *argument)
{
	atomic_int *object = LOAD(shared);
	if (!object)
		return argument;
	STORE(used, object);
#ifdef FENCES
	atomic_thread_fence(memory_order_seq_cst);
#endif
	if (LOAD(shared) == object)
		assert(LOAD(*object) == 1);
	STORE(used, 0);
	return argument;
}

static void *reclaimer(void *argument)
{
	atomic_int *object = atomic_exchange(&shared, 0);
	while (LOAD(used) == object)
		;
	free(object);
	return argument;
}

int main(void)
{
	atomic_int *object = malloc(sizeof *object);
	STORE(*object, 1);
	STORE(shared, object);
	in_parallel(reader, reclaimer);
}
