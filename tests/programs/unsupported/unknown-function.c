// expect: inconclusive reason="mystery" line=6
int mystery(int);

int main(void)
{
	return mystery(3);
}
