// What a program tells the search of `explorer.c`.

enum event { END, HEAD, INPUT, OVERFLOW, DEEPER, DEEP, ERROR };

unsigned long explorer_event(enum event event, unsigned long count);
void explorer_globals(unsigned long sum[2]);
long explorer_words(void), explorer_word(long n), explorer_bytes(void), explorer_byte(long n);
