// expect: verified
// broken: error kind=exit-code line=16
// A whole int needs no range. With -DBROKEN: Some number has this square.
int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = __VERIFIER_nondet_int();
	if ((unsigned)x > 10000)
		return 0;
#ifdef BROKEN
	return x * x == 49;
#else
	return x * x == 50;
#endif
}
