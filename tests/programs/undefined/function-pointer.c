// expect: error kind=undefined-value line=7
struct ops { int (*run)(void); };

int main(void)
{
	struct ops ops, *p = &ops;
	return p->run();
}
