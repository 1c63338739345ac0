; Phis become moves on edges, all at once.
define i32 @swap(i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %difference = sub i32 %a, %b
  ret i32 %difference
}

define i32 @critical(i1 %c, i32 %x) {
entry:
  br i1 %c, label %other, label %join
other:
  %y = mul i32 %x, 3
  br label %join
join:
  %r = phi i32 [ %x, %entry ], [ %y, %other ]
  ret i32 %r
}

define i8 @switch(i8 %x) {
entry:
  switch i8 %x, label %no [ i8 -1, label %yes
                            i8 3, label %yes
                            i8 0, label %no ]
yes:
  br label %no
no:
  %r = phi i8 [ 0, %entry ], [ 0, %entry ], [ 9, %yes ]
  ret i8 %r
}

define i32 @computed(i1 %c) {
entry:
  %target = select i1 %c, ptr blockaddress(@computed, %a), ptr blockaddress(@computed, %b)
  indirectbr ptr %target, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}

define void @forever() {
entry:
  br label %loop
loop:
  br label %loop
}
