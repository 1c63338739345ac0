#include <stdio.h>

static int column[8], found;

static int safe(int row, int c)
{
	for (int r = 0; r < row; r++)
		if (column[r] == c || column[r] - c == r - row || column[r] - c == row - r)
			return 0;
	return 1;
}

static void place(int row, int n)
{
	if (row == n) {
		found++;
		return;
	}
	for (int c = 0; c < n; c++)
		if (safe(row, c)) {
			column[row] = c;
			place(row + 1, n);
		}
}

int main(void)
{
	for (int n = 4; n <= 6; n++) {
		found = 0;
		place(0, n);
		printf("%d: %d\n", n, found);
	}
	return found;
}
