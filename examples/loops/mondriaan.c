// impasse loops examples/loops/mondriaan.c, or with the missing check: impasse loops
// examples/loops/mondriaan.c -- -DCHECKED The permissions table of Mondriaan memory protection as
// "Proving Non-Termination" describes it (section 6.2, Figures 5 to 9). Regions whose length is no
// multiple of 4 are inserted forever.
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

typedef unsigned long tab_t;

struct mmpt {
    tab_t *tab;
    int lg_num_subblock[3];
};

/* Figure 5: ten bits of the address for the root, ten for the middle, six for the leaf. */
static const int lg_entry_len[3] = {22, 12, 6};
static const int lg_num_entries[3] = {10, 10, 6};

static unsigned tab_nentries(struct mmpt *mmpt, int level)
{
    (void)mmpt;
    return 1u << lg_num_entries[level];
}

/* The number of bytes that a table of a level describes. */
static unsigned long tab_len(struct mmpt *mmpt, int level)
{
    (void)mmpt;
    return 1ul << (lg_entry_len[level] + lg_num_entries[level]);
}

static unsigned long tab_base(struct mmpt *mmpt, unsigned long base, int level)
{
    return base & ~(tab_len(mmpt, level) - 1);
}

static unsigned make_idx(struct mmpt *mmpt, unsigned long base, int level)
{
    return (base >> lg_entry_len[level]) & (tab_nentries(mmpt, level) - 1);
}

static unsigned long tab_addr(struct mmpt *mmpt, unsigned long base, unsigned idx, int level)
{
    return tab_base(mmpt, base, level) + ((unsigned long)idx << lg_entry_len[level]);
}

static unsigned long subblock_len(struct mmpt *mmpt, int level)
{
    return 1ul << (lg_entry_len[level] - mmpt->lg_num_subblock[level]);
}

/* An entry of an upper table is a pointer, or data with its lowest bit set. */
static int uentry_is_data(struct mmpt *mmpt, tab_t entry)
{
    (void)mmpt;
    return entry & 1;
}

static int entry_prot(struct mmpt *mmpt, tab_t permission_entry, int i)
{
    (void)mmpt;
    return (permission_entry >> (1 + 3 * i)) & 7;
}

/* Sets the fields that a region covers from `base` on in one entry; how many bytes that are. */
static unsigned make_entry(struct mmpt *mmpt, unsigned long base, unsigned long len, int prot, int level,
                           tab_t *entry)
{
    unsigned long block = subblock_len(mmpt, level);
    unsigned long blocks = 1ul << mmpt->lg_num_subblock[level];
    unsigned long first = (base >> (lg_entry_len[level] - mmpt->lg_num_subblock[level])) & (blocks - 1);
    unsigned long done = 0;
    if (level < 2)
        *entry |= 1;
    for (unsigned long i = first; i < blocks && len - done >= block; i++) {
        *entry &= ~(7ul << (1 + 3 * i));
        *entry |= (tab_t)prot << (1 + 3 * i);
        done += block;
    }
    return done;
}

static void look_for_nonzero(struct mmpt *mmpt, tab_t *tab, int level, int *nonzero)
{
    for (unsigned i = 0; i < tab_nentries(mmpt, level + 1); i++)
        *nonzero |= tab[i] != 0;
}

static void table_free(struct mmpt *mmpt, void *table, int level)
{
    tab_t *tab = table;
    if (level < 2)
        for (unsigned i = 0; i < tab_nentries(mmpt, level); i++)
            if (tab[i] && !uentry_is_data(mmpt, tab[i]))
                table_free(mmpt, (void *)tab[i], level + 1);
    free(table);
}

static void insert(struct mmpt *mmpt, unsigned long base, unsigned long *len, int prot, tab_t *tab, int level,
                   int *nonzero, int allocate_ok)
{
    unsigned idx;
    tab_t entry;
    if (*len == 0)
        return;
#ifdef CHECKED
    if (*len % 4 != 0)
        return;
#endif
    idx = make_idx(mmpt, base, level);
    if (level < 2 && base == tab_base(mmpt, base, level + 1) && *len >= tab_len(mmpt, level + 1)) {
        /* An upper level, and the region is aligned and spans at least one entry. */
        if (tab[idx] && !uentry_is_data(mmpt, tab[idx])) {
            look_for_nonzero(mmpt, (tab_t *)tab[idx], level, nonzero);
            table_free(mmpt, (void *)tab[idx], level + 1);
            tab[idx] = 0;
        }
        entry = tab[idx];
        unsigned entry_len = make_entry(mmpt, base, *len, prot, level, &entry);
        tab[idx] = entry;
        *len -= entry_len;
        base += entry_len;
        insert(mmpt, base, len, prot, mmpt->tab, 0, nonzero, allocate_ok);
    } else if (level < 2 && tab[idx] && !uentry_is_data(mmpt, tab[idx])) {
        /* An upper level, and a pointer is there. */
        insert(mmpt, base, len, prot, (tab_t *)tab[idx], level + 1, nonzero, allocate_ok);
    } else if (level < 2
               && ((base & (subblock_len(mmpt, level) - 1)) != 0 || *len < subblock_len(mmpt, level))) {
        /* An upper level, nothing or data is there, and the region does not fit into sub-blocks. */
        tab_t upper = tab[idx];
        *nonzero |= tab[idx] != 0;
        if (allocate_ok) {
            unsigned long size = tab_nentries(mmpt, level + 1) * sizeof(*mmpt->tab);
            tab[idx] = (tab_t)malloc(size);
            memset((tab_t *)tab[idx], 0, size);
#ifndef AS_PRINTED /* The figure enters the permissions of an empty entry, too, which takes longer. */
            if (upper)
#endif
                for (unsigned i = 0; i < 1u << mmpt->lg_num_subblock[level]; ++i) {
                    unsigned long sub_len = subblock_len(mmpt, level);
                    insert(mmpt, tab_base(mmpt, base, level + 1) + i * subblock_len(mmpt, level), &sub_len,
                           entry_prot(mmpt, upper, i), (tab_t *)tab[idx], level + 1, nonzero, allocate_ok);
                }
            insert(mmpt, base, len, prot, (tab_t *)tab[idx], level + 1, nonzero, allocate_ok);
        } else {
            unsigned long tlen = tab_len(mmpt, level + 1);
            if (*len < tlen)
                return;
            *len -= tlen;
            insert(mmpt, tab_addr(mmpt, base, idx + 1, level), len, prot, mmpt->tab, 0, nonzero, allocate_ok);
        }
    } else {
        /* Any level, and nothing or data is there: fill the rest of this table, and continue from the root. */
        for (; *len >= subblock_len(mmpt, level) && idx < tab_nentries(mmpt, level); idx++) {
            *nonzero |= tab[idx] != 0;
            entry = tab[idx];
            unsigned entry_len = make_entry(mmpt, base, *len, prot, level, &entry);
            tab[idx] = entry;
            *len -= entry_len;
            base += entry_len;
        }
        insert(mmpt, base, len, prot, mmpt->tab, 0, nonzero, allocate_ok);
    }
}

int main(void)
{
    static tab_t root[1024];
    struct mmpt table = {root, {3, 3, 4}};
    int nonzero = 0;
    for (int call = 0; call < 2; call++) {
        unsigned long base = __VERIFIER_nondet_uint();
        unsigned long len = __VERIFIER_nondet_uint();
        insert(&table, base, &len, 1 + call, table.tab, 0, &nonzero, 1);
    }
    return 0;
}
