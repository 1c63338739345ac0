// expect: error kind=undefined-value line=6
int main(void)
{
	int code;
	int *shown = &code;
	return *shown;
}
