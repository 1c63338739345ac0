/* The thread pointer of the machine is the address of a thread-local variable. */
struct __pthread;
extern _Thread_local struct __pthread __impasse_thread;

static inline struct __pthread *__get_tp(void)
{
	return &__impasse_thread;
}
