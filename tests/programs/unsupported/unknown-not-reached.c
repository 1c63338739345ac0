// expect: verified
// environment: 5 main gets no arguments (--arg gives some)
int mystery(int);

int main(int argc, char **argv)
{
	if (argc > 100)
		return mystery(3);
	return 0;
}
