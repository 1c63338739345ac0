// expect: error kind=uncaught-exception line=11 message="std::map<std::string, std::vector<long>>"
// A template is called what one writes: its default arguments are left out, and a string has its
// short name.
#include <map>
#include <string>
#include <vector>

int main()
{
    std::map<std::string, std::vector<long>> all{{"a", {1, 2}}};
    throw all;
}
