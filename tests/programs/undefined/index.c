// expect: error kind=undefined-value line=7
int table[4];

int main(void)
{
	int i, *p = &i;
	return table[*p & 3];
}
