// expect: verified
// broken: error kind=out-of-bounds line=15
// flags: --arg-bytes 4
// An option of at most four characters, whatever they are. With -DBROKEN: What follows it is read though there may be
// nothing, not even a final zero.

static int verbosity;

int main(int argc, char **argv)
{
	const char *option = argv[1];
	if (argc != 2 || option[0] != '-')
		return 0;
#ifdef BROKEN
	switch (option[1] ? option[1] : option[2]) {
#else
	switch (option[1]) {
#endif
	case 'v':
		for (option++; *option == 'v'; option++)
			verbosity++;
		break;
	case 'n':
		verbosity = option[2] ? option[2] - '0' : 1;
		break;
	}
	return 0;
}
