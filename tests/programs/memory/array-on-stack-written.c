// expect: verified
// The array is a copy of the literal, and may be changed.
int main(void)
{
	char s[] = "literal";
	s[0] = 'L';
	return s[0] != 'L';
}
