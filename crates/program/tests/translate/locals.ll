; Which locals become slots, and what stays in memory.
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @take(ptr)

define i32 @parts_of_a_struct(i32 %a) {
  %s = alloca { i32, i8, ptr }
  %y = getelementptr { i32, i8, ptr }, ptr %s, i32 0, i32 1
  %z = getelementptr i8, ptr %s, i64 8
  store i32 %a, ptr %s
  store i8 7, ptr %y
  store ptr null, ptr %z
  %bits = load i64, ptr %z
  %low = trunc i64 %bits to i32
  %x = load i32, ptr %s
  %sum = add nsw i32 %x, %low
  ret i32 %sum
}

define i32 @undefined_in_each_scope(i1 %again) {
entry:
  %x = alloca i32
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  br i1 %again, label %read, label %write
write:
  store i32 1, ptr %x
  br label %read
read:
  %v = load i32, ptr %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %more = icmp ult i32 %v, 5
  br i1 %more, label %loop, label %done
done:
  ret i32 %v
}

define i64 @filled() {
  %x = alloca [2 x i64]
  call void @llvm.memset.p0.i64(ptr %x, i8 -1, i64 16, i1 false)
  %p = getelementptr [2 x i64], ptr %x, i64 0, i64 1
  %v = load i64, ptr %p
  ret i64 %v
}

define i8 @different_widths() {
  %x = alloca i32
  store i32 1, ptr %x
  %v = load i8, ptr %x
  ret i8 %v
}

define i32 @outside() {
  %x = alloca [2 x i32]
  %p = getelementptr [2 x i32], ptr %x, i64 0, i64 2
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @escapes() {
  %x = alloca i32
  call void @take(ptr %x)
  %v = load i32, ptr %x
  ret i32 %v
}

define i32 @volatile() {
  %x = alloca i32
  store volatile i32 1, ptr %x
  %v = load volatile i32, ptr %x
  ret i32 %v
}
