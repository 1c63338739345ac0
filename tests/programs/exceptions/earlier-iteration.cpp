// expect: error kind=use-after-return line=9
// An exception ends the scope of a variable, whose next one is another object.
int main()
{
    int *kept = nullptr;
    for (int i = 0; i < 2; i++) {
        try {
            int number = 3;
            if (i == 1) return *kept - 3;
            kept = &number;
            throw i;
        } catch (int) {
        }
    }
    return 0;
}
