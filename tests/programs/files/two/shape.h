struct shape { int width, height; };
int area(const struct shape *);
