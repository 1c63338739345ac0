// expect: error kind=invalid-pointer line=15
// The label belongs to another function.
static void *foreign(int give)
{
	if (!give)
		goto *foreign(1);
	return &&here;
here:
	return 0;
}

int main(void)
{
	void *target = foreign(1);
	goto *target;
own:
	return target == &&own;
}
