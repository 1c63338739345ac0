#include <stdio.h>
#include <stdlib.h>

struct node { int key; struct node *left, *right; };

static struct node *insert(struct node *n, int key)
{
	if (!n) {
		n = calloc(1, sizeof *n);
		n->key = key;
	} else if (key < n->key)
		n->left = insert(n->left, key);
	else if (key > n->key)
		n->right = insert(n->right, key);
	return n;
}

static int walk(struct node *n, int depth)
{
	if (!n)
		return depth;
	int l = walk(n->left, depth + 1);
	printf("%d ", n->key);
	int r = walk(n->right, depth + 1);
	free(n);
	return l > r ? l : r;
}

int main(void)
{
	struct node *root = NULL;
	unsigned x = 7;
	for (int i = 0; i < 30; i++) {
		x = x * 1103515245 + 12345;
		root = insert(root, x >> 16 & 63);
	}
	printf("\n%d\n", walk(root, 0));
	return 0;
}
