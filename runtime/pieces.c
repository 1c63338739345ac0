/* Accesses of more than a word, in pieces as processors make them; for where others can see them half done. */
#include <stdint.h>
#include <string.h>

#if __SIZEOF_POINTER__ == 8
#define DEFINE(name, type) \
	static inline void name(char *to, const char *from) \
	{ \
		typedef type piece __attribute__((may_alias, aligned(1))); \
		*(piece *)to = *(const piece *)from; \
	}
#else
/* A word of an address cannot be taken for a number here. */
#define DEFINE(name, type) \
	static inline void name(char *to, const char *from) { memcpy(to, from, sizeof(type)); }
#endif

DEFINE(move_byte, uint8_t)
DEFINE(move_two, uint16_t)
DEFINE(move_four, uint32_t)
#if __SIZEOF_POINTER__ == 8
DEFINE(move_eight, uint64_t)
#endif

static inline void move(char *to, const char *from, size_t bytes)
{
	switch (bytes) {
#if __SIZEOF_POINTER__ == 8
	case 8: return move_eight(to, from);
#endif
	case 4: return move_four(to, from);
	case 2: return move_two(to, from);
	default: return move_byte(to, from);
	}
}

/* The largest power of two up to a word that is left of so many bytes, the first ones or the last ones. */
static inline size_t piece(size_t left, int descending)
{
	size_t bytes = sizeof(void *);
	while (descending ? left % bytes != 0 : left < bytes)
		bytes /= 2;
	return bytes;
}

/* Returns where it copied to. Only where the order does not matter may the two places overlap. */
void *__impasse_copy_pieces(char *to, const char *from, size_t bytes, int descending)
{
	for (size_t done = 0; done < bytes;) {
		size_t count = piece(bytes - done, descending);
		size_t at = descending ? bytes - done - count : done;
		move(to + at, from + at, count);
		done += count;
	}
	return to;
}

/* Returns where it filled. */
void *__impasse_fill_pieces(char *to, int value, size_t bytes, int descending)
{
	for (size_t done = 0; done < bytes;) {
		size_t count = piece(bytes - done, descending);
		char *at = to + (descending ? bytes - done - count : done);
		switch (count) {
		case 8: memset(at, value, 8); break;
		case 4: memset(at, value, 4); break;
		case 2: memset(at, value, 2); break;
		default: memset(at, value, 1);
		}
		done += count;
	}
	return to;
}

struct words {
	uint64_t low, high;
};

/* Two words, of which the second one is not whole. */
struct words __impasse_load_pieces(const char *from, size_t bytes, int descending)
{
	struct words words = { 0, 0 };
	__impasse_copy_pieces((char *)&words, from, bytes, descending);
	return words;
}

void __impasse_store_pieces(char *to, uint64_t low, uint64_t high, size_t bytes, int descending)
{
	struct words words = { low, high };
	__impasse_copy_pieces(to, (const char *)&words, bytes, descending);
}
