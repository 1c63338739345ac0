// expect: verified
// broken: error kind=use-after-return line=20
// The same of an object with a destructor, and of a temporary that a reference keeps alive.
struct Number {
    int value;
    ~Number() { value = 0; }
    const int &get() const { return value; }
};

Number make(int value) { return {value}; }

int main()
{
    const Number *kept = nullptr;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        const Number &number = make(i);
#ifdef BROKEN
        if (i == 1)
            return kept->get();
#endif
        kept = &number;
        sum += kept->get();
    }
    return sum - 1;
}
