// expect: error kind=terminate message="leaves start, or a destructor that runs in it, which must
//     not happen (noexcept)"
// flags: --optimise
// The function that promises not to throw is inlined.
static int n = 1;
static void raise(int code) { throw code; }
static void start() noexcept
{
    if (n)
        raise(1);
}
int main()
{
    try {
        start();
    } catch (int) {
    }
}
