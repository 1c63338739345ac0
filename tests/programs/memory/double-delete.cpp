// expect: error kind=double-free line=6
struct Owner {
	int *p = new int(1);
	~Owner()
	{
		delete p;
	}
};

int main()
{
	Owner a;
	Owner b = a;
	return 0;
}
