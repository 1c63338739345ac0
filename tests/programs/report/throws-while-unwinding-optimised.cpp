// expect: error kind=terminate message="while another exception unwinds the stack"
// flags: --optimise
// The optimiser finds that nothing leaves main; main does not say so.
struct Guard {
    ~Guard() noexcept(false) { throw 2; }
};
int main()
{
    try {
        Guard guard;
        throw 1;
    } catch (...) {
    }
}
