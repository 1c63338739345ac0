#include <cstdio>
#include <cstdlib>
static int compare(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; if (x == 3 || y == 3) throw 3; return x - y; }
int main() { int a[] = {5, 2, 3, 1}; try { qsort(a, 4, sizeof *a, compare); puts("sorted"); } catch (int i) { printf("%d\n", i); } }
