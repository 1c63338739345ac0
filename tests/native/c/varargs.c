#include <stdarg.h>
#include <stdio.h>

struct pair { int a; double b; };

static double sum(const char *types, ...)
{
	va_list v, w;
	va_start(v, types);
	va_copy(w, v);
	double s = 0;
	for (const char *t = types; *t; t++)
		switch (*t) {
		case 'i': s += va_arg(v, int); break;
		case 'l': s += va_arg(v, long); break;
		case 'd': s += va_arg(v, double); break;
		case 's': s += va_arg(v, char *)[0]; break;
		case 'p': { struct pair p = va_arg(v, struct pair); s += p.a + p.b; break; }
		case 'L': s += (double)va_arg(v, long double); break;
		}
	va_end(v);
	s += va_arg(w, int);
	va_end(w);
	return s;
}

static int format(char *b, size_t n, const char *f, ...)
{
	va_list v;
	va_start(v, f);
	int r = vsnprintf(b, n, f, v);
	va_end(v);
	return r;
}

int main(void)
{
	printf("%g\n", sum("ildspiLiiiiidddddddddd", 1, 2L, 3.5, "A", (struct pair){7, 0.25}, 9, 1.5L, 1, 2, 3, 4, 5, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
	char b[30];
	printf("%d ", format(b, sizeof b, "%s=%d", "x", 5));
	puts(b);
	return 0;
}
