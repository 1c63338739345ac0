// expect: verified
// environment: 7 environ holds no variables (--env gives some)
// A program that looks at the variables of the environment by itself.

extern char **environ;

int main(void)
{
    return environ[0] != 0;
}
