// expect: error kind=undefined-value line=7
int main(void)
{
    unsigned unset;
    unsigned small = unset & 7;
    int answer = 0;
    if (small < 7)
        answer = 0;
    return answer;
}
