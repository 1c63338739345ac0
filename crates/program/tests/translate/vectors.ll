; Vectors and aggregates are taken apart.
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare { <2 x i32>, <2 x i1> } @llvm.sadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)

define i32 @sum(ptr %p, i64 %i) {
  %v = load <4 x i32>, ptr %p
  %w = shufflevector <4 x i32> %v, <4 x i32> <i32 7, i32 7, i32 7, i32 7>, <4 x i32> <i32 3, i32 poison, i32 4, i32 0>
  %x = insertelement <4 x i32> %w, i32 5, i64 1
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)
  %e = extractelement <4 x i32> %v, i64 %i
  %r = add i32 %s, %e
  ret i32 %r
}

define i64 @bits(<2 x i32> %v) {
  %r = bitcast <2 x i32> %v to i64
  ret i64 %r
}

define { i128, i1 } @wide(i128 %a) {
  %r = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 36893488147419103233)
  ret { i128, i1 } %r
}

define <2 x i1> @flags(<2 x i32> %a) {
  %r = call { <2 x i32>, <2 x i1> } @llvm.sadd.with.overflow.v2i32(<2 x i32> %a, <2 x i32> <i32 1, i32 -1>)
  %f = extractvalue { <2 x i32>, <2 x i1> } %r, 1
  ret <2 x i1> %f
}

define void @store_struct({ i8, { i16, double } } %s, ptr %p) {
  store { i8, { i16, double } } %s, ptr %p
  ret void
}
