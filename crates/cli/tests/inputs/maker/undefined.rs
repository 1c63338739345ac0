//! Statements about bytes that have no value, beside bytes of inputs; and about narrow types.

use super::Maker;

impl Maker {
    /// Undefined bytes that are copied, and decide nothing.
    pub(super) fn undefined_bytes(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let (leaf, condition) = (self.leaf(), self.condition());
        let name = self.local("u");
        match self.random.u32(0..10) {
            0 => format!(
                "\tstruct padded s{name};\n\ts{name}.tag = {value};\n\ts{name}.value = {other};\n\tstruct padded t{name} = s{name};\n\tt{name} = turned(t{name}, {leaf});\n\tint {name} = t{name}.tag + t{name}.value;\n"
            ),
            1 => format!(
                "\tstruct padded s{name}, t{name};\n\ts{name}.tag = t{name}.tag = {value};\n\ts{name}.value = {other};\n\tt{name}.value = {leaf};\n\tif ({condition})\n\t\tmemcpy(&t{name}, &s{name}, sizeof s{name});\n\tint {name} = memcmp(&s{name}.value, &t{name}.value, sizeof(int)) == 0;\n"
            ),
            2 => format!(
                "\tint {name};\n\t{{\n\t\tint part, copy;\n\t\t*(unsigned char *)&part = {value};\n\t\tmemcpy(&copy, &part, sizeof copy);\n\t\t{name} = copy & {};\n\t}}\n",
                self.pick(&["0xff", "7", "0x1f"])
            ),
            3 => format!(
                "\tint {name};\n\t{{\n\t\tint own = {value};\n\t\tunsigned char bytes[8], copy[8];\n\t\tmemcpy(bytes + 2, &own, 4);\n\t\tmemcpy(copy, bytes, 8);\n\t\t{name} = copy[2 + ({leaf} & 3)];\n\t}}\n"
            ),
            4 => format!(
                "\tint {name};\n\t{{\n\t\tstruct bits bits{};\n\t\tbits.a = {value};\n\t\tbits.b = {other};\n\t\tbits.set = {condition};\n\t\tstruct bits copy = bits;\n\t\tcopy.wide = {leaf};\n\t\t{name} = copy.a + copy.b * 2 + copy.set + copy.wide;\n\t}}\n",
                self.pick(&["", " = { 0 }", " = { 0 }"])
            ),
            5 => format!(
                "\tint {name};\n\t{{\n\t\tlong whole, copy;\n\t\tint own = {value};\n\t\tmemcpy((char *)&whole + {}, &own, 4);\n\t\tcopy = whole;\n\t\tmemcpy(&{name}, (char *)&copy + {}, 4);\n\t}}\n",
                4, 4
            ),
            6 => format!("\tint {name} = half({value}).low + half({other}).low;\n"),
            7 => format!(
                "\tint {name};\n\t{{\n\t\tint one, own = {value};\n\t\tint *place = {condition} ? &one : &own;\n\t\tint copy = *place;\n\t\t{name} = place == &own ? copy : {other};\n\t}}\n"
            ),
            8 => format!(
                "\tint {name};\n\t{{\n\t\tint members[4], at = {leaf} & 3, to = {other} & 3;\n\t\tmembers[at] = {value};\n\t\tmembers[to] = {leaf};\n\t\t{name} = members[at] + members[to];\n\t}}\n"
            ),
            _ => format!(
                "\tint {name};\n\t{{\n\t\tunsigned char *bytes = malloc(({leaf} & 7) + 4);\n\t\tshort own = {value};\n\t\tmemcpy(bytes + 1, &own, 2);\n\t\tunsigned whole;\n\t\tmemcpy(&whole, bytes, 4);\n\t\tfree(bytes);\n\t\t{name} = whole >> 8 & {};\n\t}}\n",
                self.pick(&["0xffff", "15", "0xff00"])
            ),
        }
    }

    /// Something that is decided by bytes that may be undefined.
    pub(super) fn decided_by_undefined(&mut self) -> String {
        let (value, other) = (self.expression(), self.leaf());
        let (first, mut second) = (self.condition(), self.condition());
        if self.random.bool() {
            second = "1".into();
        }
        let decided = match self.random.u32(0..6) {
            0 => format!(
                "int one[2];\n\t\tif ({first})\n\t\t\tone[0] = {value};\n\t\tif ({second} && one[0] > 1)"
            ),
            1 => format!(
                "int part;\n\t\t*(short *)&part = {value};\n\t\tif ({second} && (part & 0x1ffff) == 3)"
            ),
            2 => format!(
                "struct padded s, t;\n\t\tmemset(&s, 0, sizeof s);\n\t\ts.tag = {value};\n\t\tt.tag = s.tag;\n\t\tt.value = 0;\n\t\tif ({first})\n\t\t\tt = s;\n\t\tif ({second} && memcmp(&s, &t, {}) == 0)",
                self.pick(&["8", "5", "1"])
            ),
            3 => format!(
                "char *bytes = malloc(({other} & 3) + 2), own;\n\t\tbytes[{other} & 1] = {value};\n\t\town = bytes[{value} & 1];\n\t\tfree(bytes);\n\t\tif ({second} && own)"
            ),
            4 => format!(
                "int one = {value}, none;\n\t\tint copy = {first} ? one : none;\n\t\tif ({second} && copy > {other})"
            ),
            _ => format!(
                "struct bits bits;\n\t\tbits.a = {value};\n\t\tif ({first})\n\t\t\tbits.b = {other};\n\t\tif ({second} && bits.b > bits.a)"
            ),
        };
        format!("\t{{\n\t\t{decided}\n\t\t\td = 2;\n\t}}\n")
    }

    /// Arithmetic that is rare: shifts and divisions by inputs, narrow types, bits.
    pub(super) fn arithmetic(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let (leaf, condition) = (self.leaf(), self.condition());
        let name = self.local("k");
        let text = match self.random.u32(0..14) {
            0 => format!("{value} << ({other} & 7)"),
            1 => format!("{value} >> ({other} & 31)"),
            2 => format!("(unsigned){value} >> ({leaf} & 15)"),
            3 => format!("{value} / ({other} | 1)"),
            4 => format!("{value} % (({other} & 7) + 1)"),
            5 => format!("(unsigned char){value} / (unsigned char)({other} | 4)"),
            6 => format!("(int)((long){value} * {other} % 1000)"),
            7 => format!("__builtin_popcount({value}) + __builtin_ctz({other} | 8)"),
            8 => format!("(signed char)({value} * 50) > (unsigned char)({other} * 50)"),
            9 => format!("(_Bool){value} + (_Bool)({other} & 2) * 2"),
            10 => format!("abs({value}) - (short)(40000 + {leaf})"),
            11 => format!("(int)((({condition}) ? {value} : {other}) * 3u % 7)"),
            12 => format!(
                "0;\n\t{{\n\t\tsigned char sum;\n\t\t{name} = __builtin_add_overflow((signed char)({value} * 9), {other}, &sum);\n\t\t{name} += sum;\n\t}}"
            ),
            _ => format!(
                "0;\n\t{{\n\t\t_Bool flags[4] = {{ {condition}, {value}, 1 }};\n\t\tflags[{leaf} & 3] = {other} & 1;\n\t\tflags[1] += 1;\n\t\t{name} = flags[0] + flags[2] * 2 + flags[{value} & 3] * 4;\n\t}}"
            ),
        };
        format!("\tint {name} = {text};\n")
    }

    /// Atomics of narrow types, and locks that inputs select.
    pub(super) fn selected(&mut self) -> String {
        let (value, other, index) = (self.expression(), self.leaf(), self.leaf());
        let name = self.local("s");
        match self.random.u32(0..6) {
            0 => format!("\tint {name} = atomic_fetch_add(&narrow, {value} * 20);\n"),
            1 => format!(
                "\tint {name} = atomic_exchange(&flag, {value}) + atomic_fetch_or(&narrow, {other});\n"
            ),
            2 => format!(
                "\tunsigned char e{name} = {value};\n\tint {name} = atomic_compare_exchange_strong(&narrow, &e{name}, {other});\n\t{name} += e{name};\n"
            ),
            3 => format!(
                "\tint {name} = (unsigned){value} % 3;\n\tpthread_mutex_lock(&locks[{name}]);\n\tguarded[{name}] += {other};\n\tpthread_mutex_unlock(&locks[{name}]);\n"
            ),
            4 => format!(
                "\tint {name} = 0;\n\tswitch ({value}) {{\n\tcase 0: {name} = 3;\n\tcase 1: case 5: {name} += 2; break;\n\tcase 7 ... 9: {name} = {other}; break;\n\tcase -1: {name} = 9; break;\n\tdefault: {name} = {index} & 7;\n\t}}\n"
            ),
            _ => format!(
                "\tint {name} = 0;\n\tfor (int i = {other}; i < {index} && i < 9 && i > -9; i++) {{\n\t\tif (i == {value})\n\t\t\tbreak;\n\t\t{name} += i;\n\t}}\n"
            ),
        }
    }
}
