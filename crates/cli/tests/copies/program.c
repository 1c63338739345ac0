/* Threads that copy as the arguments say: how copies are made, then one argument a thread; each operation is a letter,
 * an offset and a length. */
#include <impasse.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct block {
	unsigned char bytes[20];
};

union place {
	struct block block;
	uint64_t words[4];
	unsigned __int128 wide;
	unsigned char bytes[32];
};

static union place source, target;

/* What is left in memory, and what each thread has read. */
IMPASSE_OUTCOME(uint64_t, s0);
IMPASSE_OUTCOME(uint64_t, s1);
IMPASSE_OUTCOME(uint64_t, s2);
IMPASSE_OUTCOME(uint64_t, t0);
IMPASSE_OUTCOME(uint64_t, t1);
IMPASSE_OUTCOME(uint64_t, t2);
IMPASSE_OUTCOME(uint64_t, first);
IMPASSE_OUTCOME(uint64_t, second);

/* As the machine does it; in words, in either order; or in words whose bytes are read one by one, then written so. */
static enum { DIRECTLY, BY_WORDS, BY_BYTES } manner;

struct thread {
	const char *operations;
	uint64_t *found;
	unsigned char value;
};

/* Where the pieces of so many bytes begin. */
static int pieces(size_t bytes, size_t starts[21])
{
	int count = 0;
	for (size_t at = 0; at < bytes;) {
		size_t piece = 8;
		while (piece > bytes - at)
			piece /= 2;
		starts[count++] = at;
		at += piece;
	}
	starts[count] = bytes;
	return count;
}

/* Reads the bytes of a piece, then writes them. */
static void bytewise(unsigned char *to, const unsigned char *from, size_t bytes)
{
	unsigned char read[8];
	for (size_t n = 0; n < bytes; n++)
		read[n] = from[n];
	for (size_t n = 0; n < bytes; n++)
		to[n] = read[n];
}

static void piecewise(unsigned char *to, const unsigned char *from, size_t bytes, int descending)
{
	size_t starts[21];
	int count = pieces(bytes, starts);
	for (int n = 0; n < count; n++) {
		int piece = descending ? count - 1 - n : n;
		size_t at = starts[piece], size = starts[piece + 1] - at;
		switch (manner == BY_BYTES ? 0 : size) {
		case 0: bytewise(to + at, from + at, size); break;
		case 8: *(uint64_t *)(to + at) = *(const uint64_t *)(from + at); break;
		case 4: *(uint32_t *)(to + at) = *(const uint32_t *)(from + at); break;
		case 2: *(uint16_t *)(to + at) = *(const uint16_t *)(from + at); break;
		case 1: to[at] = from[at]; break;
		}
	}
}

static void copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
	static void *(*const volatile by_call)(void *, const void *, size_t) = memcpy;
	if (manner != DIRECTLY)
		piecewise(to, from, bytes, impasse_choose(2));
	else if (bytes % 2)
		memcpy(to, from, bytes);
	else
		by_call(to, from, bytes);
}

static void move(unsigned char *to, const unsigned char *from, size_t bytes)
{
	int overlap = to > from ? to - from < bytes : from - to < bytes;
	if (manner != DIRECTLY)
		piecewise(to, from, bytes, overlap ? to > from : impasse_choose(2));
	else
		memmove(to, from, bytes);
}

static void fill(unsigned char *to, unsigned char value, size_t bytes)
{
	unsigned char values[20];
	memset(values, value, sizeof values);
	if (manner != DIRECTLY)
		piecewise(to, values, bytes, impasse_choose(2));
	else
		memset(to, value, bytes);
}

static void find(struct thread *self, const unsigned char *bytes, size_t count)
{
	for (size_t n = 0; n < count; n++)
		*self->found = (*self->found ^ bytes[n]) * 0x100000001b3;
}

static void take(struct thread *self, struct block block)
{
	find(self, block.bytes, sizeof block.bytes);
}

static void take_last(struct thread *self, ...)
{
	va_list list;
	va_start(list, self);
	struct block block = va_arg(list, struct block);
	va_end(list);
	find(self, block.bytes, sizeof block.bytes);
}

static void pass(struct thread *self, int variadic)
{
	struct block block;
	if (manner != DIRECTLY) {
		copy(block.bytes, source.bytes, sizeof block);
		take(self, block);
	} else if (variadic) {
		take_last(self, source.block);
	} else {
		take(self, source.block);
	}
}

static void load_wide(struct thread *self)
{
	union place read;
	if (manner == DIRECTLY)
		read.wide = source.wide;
	else
		copy(read.bytes, source.bytes, sizeof read.wide);
	find(self, read.bytes, sizeof read.wide);
}

static void store_wide(unsigned char value)
{
	union place written;
	memset(&written, value, sizeof written);
	if (manner == DIRECTLY)
		source.wide = written.wide;
	else
		copy(source.bytes, written.bytes, sizeof written.wide);
}

static void *run(void *argument)
{
	struct thread *self = argument;
	unsigned char own[20];
	for (const char *at = self->operations; *at; at += 3) {
		size_t offset = at[1] - 'a', bytes = at[2] - 'a';
		unsigned char *place = source.bytes + offset;
		self->value++;
		switch (at[0]) {
		case 'c': copy(target.bytes + offset, place, bytes); break;
		case 'd': copy(place, target.bytes + offset, bytes); break;
		case 'l':
			copy(own, place, bytes);
			find(self, own, bytes);
			break;
		case 's':
			memset(own, self->value, sizeof own);
			copy(place, own, bytes);
			break;
		case 'm': move(place, source.bytes, bytes); break;
		case 'n': move(source.bytes, place, bytes); break;
		case 'f': fill(place, self->value, bytes); break;
		case 'a':
			if (manner == DIRECTLY)
				target.block = source.block;
			else
				copy(target.bytes, source.bytes, sizeof source.block);
			break;
		case 'b': pass(self, 0); break;
		case 'v': pass(self, 1); break;
		case 'i': load_wide(self); break;
		case 'j': store_wide(self->value); break;
		case 'o': *place = self->value; break;
		case 'w': source.words[offset / 8] = self->value * 0x0101010101010101u; break;
		case 'r': find(self, place, 1); break;
		case 'x': find(self, (unsigned char[]){source.words[offset / 8] % 251}, 1); break;
		}
	}
	return NULL;
}

int main(int count, char **arguments)
{
	manner = arguments[1][0] - '0';
	memset(&target, 0x80, sizeof target);
	struct thread self = {arguments[2], &first, 0x10}, other = {arguments[3], &second, 0x20};
	pthread_t id;
	pthread_create(&id, NULL, run, &other);
	run(&self);
	pthread_join(id, NULL);
	s0 = source.words[0], s1 = source.words[1], s2 = source.words[2];
	t0 = target.words[0], t1 = target.words[1], t2 = target.words[2];
}
