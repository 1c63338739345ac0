#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; int count; char word[]; };
static struct entry *table[16];

static unsigned hash(const char *s)
{
	unsigned h = 5381;
	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

static struct entry *find(const char *w)
{
	struct entry **p = &table[hash(w) % 16];
	for (; *p; p = &(*p)->next)
		if (!strcmp((*p)->word, w))
			return *p;
	*p = malloc(sizeof **p + strlen(w) + 1);
	(*p)->next = NULL;
	(*p)->count = 0;
	strcpy((*p)->word, w);
	return *p;
}

int main(void)
{
	char text[] = "the cat and the dog and the bird and a fish";
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
		find(w)->count++;
	for (int i = 0; i < 16; i++)
		for (struct entry *e = table[i], *next; e; e = next) {
			printf("%d %s %d\n", i, e->word, e->count);
			next = e->next;
			free(e);
		}
	return 0;
}
