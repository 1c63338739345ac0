; Calls: variable arguments, copies, atomics and intrinsics that are instructions.
%pair = type { i64, i32 }
declare i32 @printf(ptr, ...)
declare void @by_value(ptr)
declare void @llvm.va_start.p0(ptr)
declare double @llvm.fmuladd.f64(double, double, double)
declare float @llvm.sin.f32(float)
declare i32 @llvm.ctlz.i32(i32, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)

define void @variable(ptr %format, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %r = call i32 (ptr, ...) @printf(ptr %format, i64 1, double 2.0)
  call void @by_value(ptr byval(%pair) align 8 %list)
  ret void
}

define i32 @atomics(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 acq_rel
  %pair = cmpxchg weak ptr %p, i32 0, i32 %old release monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  %value = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %value, ptr %p seq_cst, align 4
  %r = select i1 %done, i32 %value, i32 undef
  ret i32 %r
}

define float @arithmetic(double %a, i32 %i, ptr %f) {
  %b = call double @llvm.fmuladd.f64(double %a, double 2.0, double 1.0)
  %c = fptrunc double %b to float
  %d = call float @llvm.sin.f32(float %c)
  %z = call i32 @llvm.ctlz.i32(i32 %i, i1 false)
  %size = call i64 @llvm.objectsize.i64.p0(ptr %f, i1 false, i1 true, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr null, i64 %size, i1 false)
  %e = call float %f(float %d, i32 %z)
  %less = fcmp ult float %e, %d
  %r = select i1 %less, float %e, float %d
  ret float %r
}
