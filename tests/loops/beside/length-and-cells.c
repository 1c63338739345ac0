// expect: nonterminating

int main(void)
{
    int next[6] = {1, 2, 3, 1, 5, -1}, length = 0;
    for (int at = 0; at >= 0; at = next[at])
        length++;
    return length;
}
