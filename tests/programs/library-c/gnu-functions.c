// expect: verified
// broken: error kind=exit-code line=45
// Programs find headers and functions of glibc and BSD that musl lacks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/cdefs.h>
#include <sys/queue.h>
#include <unistd.h>

struct item {
	int number;
	STAILQ_ENTRY(item) link;
};

__BEGIN_DECLS
static STAILQ_HEAD(, item) items = STAILQ_HEAD_INITIALIZER(items);
__END_DECLS

int main(void)
{
	struct item one = {1}, two = {2}, *item;
	STAILQ_INSERT_TAIL(&items, &one, link);
	STAILQ_INSERT_TAIL(&items, &two, link);
	int sum = 0;
	STAILQ_FOREACH(item, &items, link) sum = 10 * sum + item->number;
	assert(sum == 12);
	void *addresses[4];
	assert(backtrace(addresses, 4) <= 4);
	pthread_rwlockattr_t attributes;
	int kind;
	pthread_rwlockattr_init(&attributes);
	assert(!pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NP));
	assert(!pthread_rwlockattr_getkind_np(&attributes, &kind) && kind == PTHREAD_RWLOCK_PREFER_WRITER_NP);
	assert(strtoull_l("18446744073709551615", 0, 10, LC_GLOBAL_LOCALE) == -1ULL);
	assert(strtol_l("-12", 0, 0, LC_GLOBAL_LOCALE) == -12);
	assert(TEMP_FAILURE_RETRY(close(-1)) == -1 && errno == EBADF);
#ifdef BROKEN
	error(0, EBADF, "sum %d", sum);
	error(3, EBADF, "sum %d", sum);
#else
	error(0, EBADF, "sum %d", sum);
	assert(error_message_count == 1);
#endif
	return 0;
}
