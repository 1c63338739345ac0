#include <stdio.h>

enum { N = 4 };

int main(void)
{
	double a[N][N], b[N][N], c[N][N] = {{0}};
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + 0.5 * j;
			b[i][j] = i == j ? 2 : -0.25 * (i - j);
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			printf("%8.3f", c[i][j]);
		puts("");
	}
	return 0;
}
