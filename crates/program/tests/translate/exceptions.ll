; Calls with landing pads; a landing pad stays the first thing that an exception meets.
@type = external constant ptr
declare void @may_throw(i32)
declare i32 @personality(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)

define i32 @caught() personality ptr @personality {
entry:
  invoke void @may_throw(i32 1) to label %next unwind label %pad
next:
  invoke void @may_throw(i32 2) to label %done unwind label %pad
pad:
  %where = phi i32 [ 1, %entry ], [ 2, %next ]
  %e = landingpad { ptr, i32 } cleanup catch ptr @type catch ptr null filter [1 x ptr] [ptr @type]
  %selector = extractvalue { ptr, i32 } %e, 1
  %wanted = call i32 @llvm.eh.typeid.for.p0(ptr @type)
  %ours = icmp eq i32 %selector, %wanted
  br i1 %ours, label %handle, label %pass
handle:
  ret i32 %where
pass:
  resume { ptr, i32 } %e
done:
  ret i32 0
}
