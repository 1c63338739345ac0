_Static_assert(__STDC_VERSION__ == 201112L, "the standard is that of C");

int counted(void)
{
    return LIMIT;
}
