// expect: verified
// A function that must return is left by an exception, by return and at its end, again and again.
#include <impasse.h>
#include <impasse/section.h>

int serve(int what)
{
    IMPASSE_MUST_RETURN;
    if (what == 0)
        throw what;
    if (what == 1)
        return 1;
    return serve(what - 1);
}

int main()
{
    for (int what = 0;; what = (what + 1) % 4) {
        try {
            serve(what);
        } catch (int) {
        }
    }
}
