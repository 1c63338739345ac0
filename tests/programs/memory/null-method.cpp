// expect: error kind=null-dereference line=6
struct Counter {
	int n = 0;
	int next()
	{
		return ++n;
	}
};

int main()
{
	Counter *c = nullptr;
	return c->next();
}
