//! Statements of programs that are made up.

use super::{Maker, Theme};

impl Maker {
    pub(super) fn statements(&mut self, most: usize) -> String {
        let count = self.random.usize(1..=most + 2);
        (0..count).map(|_| self.statement()).collect()
    }

    fn statement(&mut self) -> String {
        if self.inputs > 0 && self.random.u32(0..3) == 0 {
            self.inputs -= 1;
            let name = self.local("x");
            return format!("\tint {name} = input({});\n", self.random.u32(2..=16));
        }
        if self.is_tso && self.random.u32(0..4) == 0 {
            return self.delayed();
        }
        if self.has_floats && self.random.u32(0..3) == 0 {
            return self.floats();
        }
        if self.has_heap && self.random.u32(0..5) == 0 {
            return self.shared_memory();
        }
        let is_rare = matches!(
            self.theme,
            Theme::Shift | Theme::Undefined | Theme::Freed | Theme::Twice | Theme::Null
        );
        if is_rare && self.random.u32(0..4) == 0 {
            return self.special();
        }
        let rare = match self.random.u32(0..16) {
            0 => Some(self.memory()),
            1 => Some(self.undefined_bytes()),
            2 => Some(self.arithmetic()),
            3 => Some(self.selected()),
            4 => Some(self.mixed()),
            5 => Some(self.members()),
            6 => Some(self.pointers()),
            7 => Some(self.constants()),
            8 | 9 => Some(self.sides()),
            10 => Some(self.products()),
            11 => Some(self.places()),
            _ => None,
        };
        if let Some(text) = rare {
            return text + &self.observation();
        }
        match self.random.u32(0..14) {
            0 | 1 => self.locked(),
            2 => {
                let (target, value) = (self.pick(&["c", "d"]), self.expression());
                let operation = self.pick(&["add", "sub", "xor", "and"]);
                if self.is_weak {
                    let order = self.pick(&["relaxed", "release"]);
                    return match self.random.bool() {
                        true => format!(
                            "\tatomic_store_explicit(&{target}, {value}, memory_order_{order});\n"
                        ),
                        false => format!(
                            "\tatomic_fetch_{operation}_explicit(&{target}, {value}, memory_order_{order});\n"
                        ),
                    };
                }
                format!("\tatomic_fetch_{operation}(&{target}, {value});\n")
            }
            3 => {
                let (expected, value) = (self.expression(), self.expression());
                let target = self.pick(&["c", "d"]);
                let strength = self.pick(&["strong", "weak"]);
                format!(
                    "\t{{\n\t\tint expected = {expected};\n\t\tatomic_compare_exchange_{strength}(&{target}, &expected, {value});\n\t}}\n"
                )
            }
            4 => {
                let condition = self.condition();
                let kept = self.readable.len();
                let inner = self.special();
                self.readable.truncate(kept);
                format!("\tif ({condition}) {{\n{inner}\t}}\n")
            }
            5 => {
                let value = self.expression();
                let name = self.local("y");
                format!("\tint {name} = {value};\n")
            }
            6 => {
                let bound = self.expression();
                format!("\tfor (int i = 0; i < ({bound} & 3); i++)\n\t\tc++;\n")
            }
            7 => {
                let (value, index) = (self.expression(), self.expression());
                format!(
                    "\tswitch ({value} & 3) {{\n\tcase 0: d = 1; break;\n\tcase 2: d = array[{index} & 3]; break;\n\tdefault: c = {index};\n\t}}\n"
                )
            }
            8..11 => self.in_bytes(),
            _ => self.special(),
        }
    }

    /// Shows what the last statement has computed, now and then.
    fn observation(&mut self) -> String {
        let name = self.readable.last().expect("a variable").clone();
        match self.theme {
            Theme::Assertion if self.random.u32(0..6) == 0 => {
                format!("\tassert({name} != {});\n", self.random.u32(0..12))
            }
            Theme::Nothing if self.random.bool() => {
                format!("\tatomic_fetch_xor(&d, {name} * 3);\n")
            }
            _ => String::new(),
        }
    }

    /// Values taken apart and put together in memory, and passed to functions.
    fn in_bytes(&mut self) -> String {
        let name = format!("z{}", self.locals);
        self.locals += 1;
        let (value, other) = (self.expression(), self.expression());
        let (index, target) = (self.leaf(), self.pick(&["c", "d"]));
        self.readable.push(name.clone());
        match self.random.u32(0..9) {
            0 => format!(
                "\tint {name} = {value};\n\t((unsigned char *)&{name})[{index} & 3] = {other};\n\t{name} &= 0xff07;\n"
            ),
            1 => format!(
                "\tint {name} = {value};\n\t{{\n\t\tunsigned char bytes[8] = {{ 0 }};\n\t\tmemcpy(bytes + 1, &{name}, 4);\n\t\tbytes[2] = {other};\n\t\tmemcpy(&{name}, bytes + 1, 4);\n\t}}\n"
            ),
            2 => format!(
                "\tstruct pair pair{name} = {{ {value}, {other} }};\n\tint {name} = swapped(pair{name}).low;\n"
            ),
            3 => format!(
                "\tint {name};\n\t{{\n\t\tlong long wide = (long long){value} << 32 | (unsigned){other};\n\t\t{name} = wide >> 31;\n\t}}\n"
            ),
            4 => format!("\tint {name} = twice({value}) - (unsigned char)({other} + 1);\n"),
            5 => format!(
                "\tint {name};\n\t{{\n\t\tshort *place = array + ({value} & 3);\n\t\t{name} = place >= array + 2 ? *place : place - array;\n\t}}\n"
            ),
            6 => format!(
                "\tint *heap{name} = malloc(sizeof(int));\n\t*heap{name} = {value};\n\tint {name} = *heap{name};\n\tfree(heap{name});\n"
            ),
            7 => format!(
                "\tint {name} = {value} % 5;\n\tif ({name} > 2)\n\t\t{name} = -{name} / 2;\n\tatomic_fetch_or(&{target}, {name} & 1);\n"
            ),
            _ => format!(
                "\tunion number union{name} = {{ .whole = {value} }};\n\tunion{name}.halves[{index} & 1] = {other};\n\tint {name} = union{name}.whole & 0x3000f;\n"
            ),
        }
    }

    /// A number that is computed in floating-point arithmetic.
    fn floats(&mut self) -> String {
        let (value, other) = (self.expression(), self.leaf());
        // Z3 takes long for products and quotients of 64 bits.
        let operator = self.pick(&["+", "-", "+", "-", "*"]);
        let float = match operator {
            "*" => "float",
            _ => self.pick(&["float", "double"]),
        };
        let number = self.random.u32(0..6);
        let name = format!("v{}", self.locals);
        self.locals += 1;
        self.readable.push(name.clone());
        let computed =
            format!("\t{float} {name}f = ({float}){value} {operator} ({float}){other};\n");
        let result = match self.random.u32(0..5) {
            0 => format!("{name}f > {number}.25 ? 1 : {name}f == {name}f ? 2 : 3"),
            1 => format!("!({name}f < {number}) + 2 * ({name}f != {other})"),
            2 => format!("{name}f > -100 && {name}f < 100 ? (int)((float){name}f / 3) : 7"),
            3 => format!("{name}f >= 0 && {name}f < 256 ? (unsigned char){name}f : -{name}f > 1"),
            _ => format!("(float){name}f == (double){name}f"),
        };
        format!("{computed}\tint {name} = {result};\n")
    }

    /// Stores to parts of what threads share, and loads of others.
    fn delayed(&mut self) -> String {
        let (value, index) = (self.expression(), self.leaf());
        let name = format!("w{}", self.locals);
        self.locals += 1;
        let store = match self.random.u32(0..4) {
            0 => format!("shared.whole = {value} & 7;"),
            1 => format!("shared.halves[{index} & 1] = {value} & 7;"),
            2 => format!("shared.bytes[{index} & 3] = {value} & 7;"),
            _ => {
                format!("int {name}s = {value} & 7;\n\tmemcpy((char *)&shared + 2, &{name}s, 2);")
            }
        };
        let load = match self.random.u32(0..4) {
            0 => "shared.whole % 5",
            1 => "shared.halves[1]",
            2 => "shared.halves[0] + shared.bytes[2]",
            _ => "shared.bytes[1]",
        };
        self.readable.push(name.clone());
        format!("\t{store}\n\tint {name} = {load};\n")
    }

    /// Something that may be an error, of the program's theme.
    fn special(&mut self) -> String {
        let value = self.expression();
        match self.theme {
            Theme::Assertion => format!("\tassert({});\n", self.condition()),
            Theme::Bounds => match self.random.u32(0..3) {
                0 | 1 => self.memory(),
                _ => match self.random.bool() {
                    true => format!("\tc = array[{value}];\n"),
                    false => format!("\tc = steps[{value}];\n"),
                },
            },
            Theme::Division => format!("\td = 7 / unknown({value} - {});\n", self.random.u32(0..6)),
            Theme::Hang => match self.random.u32(0..8) {
                0 => {
                    let condition = self.condition();
                    format!(
                        "\tpthread_mutex_lock(&mutex);\n\tif ({condition})\n\t\tpthread_mutex_lock(&other);\n\tpthread_mutex_unlock(&mutex);\n"
                    )
                }
                1 => format!("\twhile ((c & 3) == ({value} & 3))\n\t\t;\n"),
                2 => {
                    let condition = self.condition();
                    format!(
                        "\tpthread_mutex_lock(&other);\n\tif ({condition})\n\t\tpthread_mutex_unlock(&other);\n"
                    )
                }
                3 => {
                    let (index, n) = (self.expression(), self.locals);
                    self.locals += 1;
                    format!(
                        "\tint i{n} = (unsigned){value} % 3, j{n} = (unsigned){index} % 3;\n\tpthread_mutex_lock(&locks[i{n}]);\n\tif (j{n} != i{n})\n\t\tpthread_mutex_lock(&locks[j{n}]);\n\tguarded[i{n}] = guarded[j{n}];\n\tif (j{n} != i{n})\n\t\tpthread_mutex_unlock(&locks[j{n}]);\n\tpthread_mutex_unlock(&locks[i{n}]);\n"
                    )
                }
                4 => format!(
                    "\tpthread_mutex_lock(&mutex);\n\tif ({}) {{\n\t\tis_ready = 1;\n\t\tpthread_cond_signal(&ready);\n\t}} else {{\n\t\twhile (!is_ready)\n\t\t\tpthread_cond_wait(&ready, &mutex);\n\t}}\n\tpthread_mutex_unlock(&mutex);\n",
                    self.condition()
                ),
                5 => format!(
                    "\tpthread_mutex_lock(&mutex);\n\tis_ready += {value} & 3;\n\tpthread_cond_{}(&ready);\n\tpthread_mutex_unlock(&mutex);\n",
                    self.pick(&["signal", "broadcast"])
                ),
                6 => format!(
                    "\tpthread_mutex_lock(&mutex);\n\tint goal{0} = {value} & 3;\n\twhile (is_ready < goal{0})\n\t\tpthread_cond_wait(&ready, &mutex);\n\tpthread_mutex_unlock(&mutex);\n",
                    self.locals
                ),
                _ => format!("\twhile (({value} & 7) > d)\n\t\td++;\n"),
            },
            Theme::Shift => match self.random.bool() {
                true => format!("\tc = 1 << {value};\n"),
                false => format!("\td = (char)({value} * 50) >> {};\n", self.leaf()),
            },
            Theme::Undefined => self.decided_by_undefined(),
            Theme::Freed | Theme::Twice | Theme::Null => self.misused_memory(),
            Theme::Nothing => format!("\tc ^= {value};\n"),
            Theme::Race => {
                let condition = self.condition();
                format!("\tif ({condition})\n\t\tplain = {value};\n")
            }
        }
    }

    fn locked(&mut self) -> String {
        let kept = self.readable.len();
        self.readable.extend(["a", "b"].map(String::from));
        let (target, value) = (self.pick(&["a", "b"]), self.expression());
        let guard = match self.random.bool() {
            true => format!("if ({})\n\t\t\t", self.condition()),
            false => String::new(),
        };
        self.readable.truncate(kept);
        format!(
            "\tpthread_mutex_lock(&mutex);\n\t\t{guard}{target} = {value};\n\tpthread_mutex_unlock(&mutex);\n"
        )
    }
}
