/* The generators of the C library, each number of which is an input (--any-rand). */
long long __impasse_choose_range(const char *name, int bits, int is_signed);

#define ANY(type, name, bits, is_signed, ...)                                \
	__attribute__((__weak__)) type name(__VA_ARGS__)                     \
	{                                                                    \
		return (type)__impasse_choose_range(#name, bits, is_signed); \
	}

ANY(int, rand, 31, 0, void)
ANY(int, rand_r, 31, 0, unsigned *seed)
ANY(long, random, 31, 0, void)
ANY(long, lrand48, 31, 0, void)
ANY(long, nrand48, 31, 0, unsigned short *state)
ANY(long, mrand48, 32, 1, void)
ANY(long, jrand48, 32, 1, unsigned short *state)
