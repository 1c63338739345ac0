// expect: verified
#include <utility>
struct Counted {
    int n = 1;
    ~Counted() { n = 0; }
};
template <int N> Counted counted;
template <int... N> int sum(std::integer_sequence<int, N...>) { return (counted<N>.n + ...); }
int main() { return sum(std::make_integer_sequence<int, 40>()) - 40; }
