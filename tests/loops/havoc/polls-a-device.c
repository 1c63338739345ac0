// expect: nonterminating condition=environment
// flags: --unknown-functions havoc
int poll_device(void);
void handle(int event);

int main(void)
{
    unsigned served = 0;
    int event;
    while ((event = poll_device()) != 0) {
        if (event > 0)
            handle(event);
        served++;
    }
    return served;
}
