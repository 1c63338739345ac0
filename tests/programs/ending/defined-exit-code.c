// expect: verified
int main(void)
{
	int code = 0;
	int *shown = &code;
	return *shown;
}
