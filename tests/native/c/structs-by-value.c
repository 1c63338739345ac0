#include <stdio.h>

struct point { int x, y; };
struct big { long a[5]; char tag; };
struct mix { float f; double d; };

static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }
static struct big fill(struct big b, int n)
{
	for (int i = 0; i < 5; i++)
		b.a[i] += i * n;
	b.tag++;
	return b;
}
static struct mix half(struct mix m) { m.f /= 2; m.d /= 2; return m; }

int main(void)
{
	struct point p = add((struct point){1, 2}, (struct point){10, 20});
	struct big b = {{1, 2, 3, 4, 5}, 'a'}, c = fill(b, 3);
	struct mix m = half((struct mix){3, 5});
	printf("%d %d %ld %ld %c %c %g %g\n", p.x, p.y, b.a[4], c.a[4], b.tag, c.tag, m.f, m.d);
	printf("%d\n", add(p, p).y);
	return 0;
}
