// Greets, and repeats its arguments.
#include <iostream>

int main(int argc, char **argv)
{
    std::cout << "Hello from Impasse";
    for (int i = 1; i < argc; i++)
        std::cout << (i == 1 ? ": " : " ") << argv[i];
    std::cout << '\n';
}
