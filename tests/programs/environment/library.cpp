// expect: verified
// environment: 15 the file "settings" does not exist; 16 there are 2 processors; 18 standard input
//     is empty
// What functions of the library ask for on behalf of the program, and not what they ask for
// themselves.
#include <cassert>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

int main()
{
    std::cout << "hello" << std::endl;
    std::ifstream settings("settings");
    assert(!settings && std::thread::hardware_concurrency() == 2);
    std::string word;
    std::cin >> word;
    assert(word.empty());
}
