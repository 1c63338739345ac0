// expect: verified
// The header of GCC's library.
#include <bits/stdc++.h>
using namespace std;

int main()
{
    map<string, vector<int>> marks{{"a", {3, 1, 2}}};
    ranges::sort(marks["a"]);
    assert(format("{}", marks["a"]) == "[1, 2, 3]");
    promise<int> p;
    thread t([&] { p.set_value(accumulate(marks["a"].begin(), marks["a"].end(), 0)); });
    assert(p.get_future().get() == 6);
    t.join();
}
