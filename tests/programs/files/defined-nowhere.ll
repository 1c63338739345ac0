; expect: error kind=assertion
; Text form of LLVM's intermediate language.
declare void @reach_error()

define i32 @main() {
  %x = add i32 2, 2
  %c = icmp eq i32 %x, 4
  br i1 %c, label %bad, label %good

bad:
  call void @reach_error()
  br label %good

good:
  ret i32 0
}
