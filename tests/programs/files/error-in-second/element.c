int element(const int *a, int i);

/* No check of the index. */
int element(const int *a, int i)
{
	return a[i];
}
