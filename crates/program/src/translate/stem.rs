//! The names of LLVM's intrinsics.

/// The name of an intrinsic, without prefix and types: `umin` for `llvm.umin.i32`.
pub(super) fn stem(name: &str) -> &str {
    let mut stem = name.strip_prefix("llvm.").unwrap_or(name);
    while let Some((rest, last)) = stem.rsplit_once('.') {
        if !is_type(last) {
            break;
        }
        stem = rest;
    }
    stem
}

/// Whether a part of an intrinsic's name is the mangled name of a type.
fn is_type(part: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if matches!(part, "bf16" | "isVoid" | "Metadata")
        || part.starts_with("sl_")
        || part.starts_with("s_")
    {
        return true;
    }
    if let Some(rest) = part.strip_prefix("nxv") {
        return rest.starts_with(|c: char| c.is_ascii_digit());
    }
    match part.as_bytes().first() {
        Some(b'i' | b'f' | b'p') => digits(&part[1..]),
        Some(b'v' | b'a') => {
            let rest = part[1..].trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() + 1 < part.len() && is_type(rest)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn types_are_left_out() {
        for (name, expected) in [
            ("llvm.umin.i32", "umin"),
            ("llvm.memcpy.p0.p0.i64", "memcpy"),
            ("llvm.sadd.with.overflow.v4i32", "sadd.with.overflow"),
            ("llvm.vector.reduce.add.v16i8", "vector.reduce.add"),
            ("llvm.va_start.p0", "va_start"),
            ("llvm.trap", "trap"),
            ("llvm.fabs.f80", "fabs"),
            ("llvm.x86.sse2.pause", "x86.sse2.pause"),
            ("llvm.dbg.declare", "dbg.declare"),
        ] {
            assert_eq!(stem(name), expected);
        }
    }
}
