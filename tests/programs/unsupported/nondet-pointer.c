// expect: inconclusive reason="__VERIFIER_nondet_pointer" line=14
// broken: inconclusive reason="__VERIFIER_nondet_pchar" line=12
// flags: --nondet 0..1
// An address has no values that could all be tried, whatever range is given.
void *__VERIFIER_nondet_pointer(void);
char *__VERIFIER_nondet_pchar(void);

int main(void)
{
	int *p = 0;
#ifdef BROKEN
	p = (int *)__VERIFIER_nondet_pchar();
#else
	p = __VERIFIER_nondet_pointer();
#endif
	return p && *p;
}
