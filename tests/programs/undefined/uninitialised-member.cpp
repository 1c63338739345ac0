// expect: error kind=undefined-value line=12
// The constructor forgets a member.
struct Account {
	int balance;
	bool open;
	explicit Account(int b) : balance(b) {}
};

int main()
{
	Account a(3);
	if (a.open)
		return 1;
	return 0;
}
