// expect: verified
// What GCC's preprocessor leaves of glibc's and its own headers, and clang does not compile as it is.
# 1 "preprocessed-by-gcc.c"
typedef unsigned long size_t;
extern void free(void *p) __attribute__((__nothrow__, __leaf__));
extern void *malloc(size_t n) __attribute__((__nothrow__, __leaf__)) __attribute__((__malloc__));
extern char *strdup(const char *s) __attribute__((__malloc__)) __attribute__((__malloc__(free, 1)));
extern _Float32 strtof32(const char *text, char **end);
extern _Complex _Float64x cacosf64x(_Complex _Float64x z);
extern int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...);
extern __inline __attribute__((__always_inline__)) __attribute__((__gnu_inline__)) int
sprintf(char *to, const char *format, ...)
{
	return __sprintf_chk(to, 1, __builtin_object_size(to, 1), format, __builtin_va_arg_pack());
}
extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function);

typedef _Atomic int atomic_int;
static atomic_int count;

int main(void)
{
	__extension__({
		__auto_type __atomic_store_ptr = (&count);
		__typeof__((void)0, *__atomic_store_ptr) __atomic_store_tmp = (3);
		__atomic_store(__atomic_store_ptr, &__atomic_store_tmp, (5));
	});
	int before = __atomic_fetch_add((&count), (2), 5);
	_Float64 half = 0.5;
	char text[8];
	int length = sprintf(text, "%d-%d", before, (int)(half * 8));
	char *copy = strdup(text);
	if (length != 3 || copy[0] != '3' || copy[2] != '4')
		__assert_fail("the text is right", "preprocessed-by-gcc.c", 1, "main");
	free(copy);
	return 0;
}
