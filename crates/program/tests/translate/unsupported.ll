; What cannot be executed says so where it is reached.
declare <4 x i32> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)

define half @half(half %a, ptr %p) {
  store half %a, ptr %p
  %r = fadd half %a, 1.0
  ret half %r
}

define i32 @assembly(i32 %a) {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "pause", ""()
  %kept = call i32 asm sideeffect "", "=r,0"(i32 %a)
  call void asm sideeffect "cpuid", "~{eax}"()
  ret i32 %kept
}

define void @fences() {
  fence syncscope("singlethread") acq_rel
  fence seq_cst
  ret void
}

define void @scalable(<vscale x 4 x i32> %v) {
  ret void
}

define i512 @large(ptr %p) {
  %v = load i512, ptr %p
  ret i512 %v
}
