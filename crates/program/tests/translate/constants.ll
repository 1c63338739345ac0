; Symbols, initial content, and constants that name addresses.
@number = global i32 -2, align 4
@text = private unnamed_addr constant [4 x i8] c"abc\00"
@table = internal constant [2 x ptr] [ptr @function, ptr getelementptr (i8, ptr @text, i64 2)]
@mixed = weak global { i16, float, x86_fp80 } { i16 258, float 1.5, x86_fp80 0xK3FFF8000000000000000 }
@own = thread_local global i32 3
@distance = global i32 trunc (i64 sub (i64 ptrtoint (ptr @number to i64), i64 ptrtoint (ptr @text to i64)) to i32)
@other_name = alias i32, ptr @number
@perhaps = extern_weak global i32
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @function, ptr null }]

define internal void @function() {
  ret void
}

define ptr @addresses(i64 %i) {
  store i64 add (i64 ptrtoint (ptr @number to i64), i64 4), ptr getelementptr ([2 x ptr], ptr @table, i64 0, i64 1)
  store i32 ptrtoint (ptr @perhaps to i32), ptr @own
  call void @function()
  %p = getelementptr { i32, [4 x i16] }, ptr @number, i64 %i, i32 1, i64 %i
  ret ptr %p
}
