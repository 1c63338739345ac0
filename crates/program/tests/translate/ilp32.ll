target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-unknown-linux-musl"

%node = type { ptr, i32, i64 }

@first = global %node { ptr @second, i32 ptrtoint (ptr @first to i32), i64 3 }
@second = internal constant %node { ptr null, i32 4, i64 5 }
@numbers = global [2 x ptr] [ptr inttoptr (i32 -1 to ptr), ptr inttoptr (i32 1073741856 to ptr)]

define ptr @next(ptr %node) {
  %next = getelementptr inbounds %node, ptr %node, i32 0, i32 0
  %value = load ptr, ptr %next
  %is = icmp eq ptr %value, inttoptr (i32 1073741856 to ptr)
  %end = icmp eq ptr %value, inttoptr (i32 -1 to ptr)
  %both = or i1 %is, %end
  %chosen = select i1 %both, ptr null, ptr %value
  ret ptr %chosen
}

define i32 @distance(ptr %low, ptr %high, i32 %index) {
  %at = getelementptr i64, ptr %high, i32 %index
  %a = ptrtoint ptr %low to i32
  %b = ptrtoint ptr %at to i32
  %c = sub i32 %b, %a
  %d = add i32 %c, ptrtoint (ptr @second to i32)
  store ptr %at, ptr %low
  %e = inttoptr i32 %d to ptr
  call void (ptr, ...) @talk(ptr %e, i32 %d, double 1.0)
  ret i32 %d
}

declare void @talk(ptr, ...)
