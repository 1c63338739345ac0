//! Statements that mix widths and signs, and that use what inputs select: members, pointers,
//! functions.

use super::Maker;

/// Integer types of each width and sign.
const TYPES: [&str; 8] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
];

impl Maker {
    /// Values that change their width and sign.
    pub(super) fn mixed(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let [from, by, to] = [(); 3].map(|()| self.pick(&TYPES));
        let scale = self.pick(&[
            "1",
            "-1",
            "43",
            "-129",
            "70000",
            "0x40000001",
            "-0x7fffffffl",
        ]);
        let (number, shift) = (self.random.i32(-9..200), self.random.u32(0..7));
        let comparison = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let name = self.local("t");
        let text = match self.random.u32(0..10) {
            0 | 1 => format!("({to})(f * g + {number}) {comparison} ({from})g"),
            2 => format!("f {comparison} g + (f {comparison} {number}) * 2"),
            3 => format!("(({to})(f - g) >> {shift}) & 0xff"),
            4 => format!("({to})(f / (g | 1)) % 100"),
            5 => format!("(({to})f % (({by})(g & 15) + 1)) & 63"),
            6 => format!("(({by})({to})f ^ ({to})~g) {comparison} {number}"),
            7 => format!("(({to})-f {comparison} ({by})g ? ({from})(f + g) : ({by})-g) & 0x3ff"),
            8 => format!("f > g - {number} ? ({to})f & 31 : (({to})g << {shift}) & 255"),
            _ => format!("((({to})f & ({by})g) | {number}) & 0x1ff"),
        };
        format!(
            "\tint {name};\n\t{{\n\t\t{from} f = ({value}) * {scale};\n\t\t{by} g = ({other}) * {};\n\t\t{name} = {text};\n\t}}\n",
            self.pick(&["1", "-1", "7", "-100", "0x8001"])
        )
    }

    /// Members of structures, of bit-fields and of unions that are read as others.
    pub(super) fn members(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let (leaf, index) = (self.leaf(), self.leaf());
        let name = self.local("q");
        match self.random.u32(0..6) {
            0 => format!(
                "\tint {name};\n\t{{\n\t\tstruct pair pairs[3] = {{ {{ 1, 2 }}, {{ {value}, 4 }} }};\n\t\tpairs[(unsigned){index} % 3].high = {other};\n\t\tstruct pair *it = &pairs[(unsigned){leaf} % 3];\n\t\t{name} = it->low * 2 + it->high;\n\t}}\n"
            ),
            1 => format!(
                "\tint {name};\n\t{{\n\t\tstruct fields it = {{ {value}, {other}, {leaf}, {index} }};\n\t\tit.{} += it.{} * 3;\n\t\t{name} = it.low + it.mid + it.high * 2 + (it.wide < it.low);\n\t}}\n",
                self.pick(&["low", "mid", "high", "wide"]),
                self.pick(&["low", "mid", "high", "wide"]),
            ),
            2 => format!(
                "\tint {name};\n\t{{\n\t\tunion views it = {{ .fields = {{ {value}, {other}, {leaf}, {index} }} }};\n\t\tit.{} ^= {leaf};\n\t\t{name} = it.{} & 0xfff;\n\t}}\n",
                self.pick(&["bytes[0]", "bytes[3]", "halves[1]", "whole", "fields.mid"]),
                self.pick(&["bytes[1]", "bytes[4]", "halves[0]", "halves[2]", "whole"]),
            ),
            3 => format!(
                "\tint {name};\n\tpthread_mutex_lock(&mutex);\n\ttable[(unsigned){index} % 3].low = {value};\n\ttable[(unsigned){leaf} % 3].high += {other};\n\t{name} = table[{}].low + table[1].high;\n\tpthread_mutex_unlock(&mutex);\n",
                self.random.u32(0..3)
            ),
            4 => format!(
                "\tint {name};\n\t{{\n\t\tstruct pair grid[2][2] = {{ {{ {{ {value}, 1 }} }}, {{ {{ 2 }}, {{ 3, {other} }} }} }};\n\t\tgrid[{index} & 1][{leaf} & 1].low ^= {value};\n\t\tstruct pair copy = grid[{leaf} & 1][{index} & 1];\n\t\t{name} = copy.low - copy.high;\n\t}}\n"
            ),
            _ => format!(
                "\tint {name};\n\t{{\n\t\tshort own[4] = {{ {value}, 2, {other} }};\n\t\tstruct pair both;\n\t\tmemcpy(&both, own, sizeof both);\n\t\t{name} = (both.low {} both.high) + (own[{index} & 3] > {leaf});\n\t}}\n",
                self.pick(&["<", "==", "&", "-"])
            ),
        }
    }

    /// Loads from constants at places that inputs select.
    pub(super) fn constants(&mut self) -> String {
        let (value, leaf) = (self.expression(), self.leaf());
        let name = self.local("n");
        let text = match self.random.u32(0..8) {
            0 => format!("classes[{value} & 15] * 2 + classes[{leaf} & 7]"),
            1 => format!("steps[(unsigned){value} % 12]"),
            2 => format!("digits[{value} & 15] > digits[{leaf} & 15]"),
            3 => format!("points[(unsigned){value} % 6].high + points[({leaf} & 3) + 1].low"),
            4 => format!("(int)powers[(unsigned char)({value}) % 10]"),
            5 => format!("steps[11 - ({value} & 3)] - classes[(signed char)({leaf} & 3) + 2]"),
            6 => format!("digits[steps[{value} & 3]]"),
            _ => format!(
                "((const unsigned char *)&steps[{}])[{value} & 7]",
                self.random.u32(0..6)
            ),
        };
        format!("\tint {name} = {text};\n")
    }

    /// Pointers, functions and orders of locks that inputs select.
    pub(super) fn pointers(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let (leaf, condition) = (self.leaf(), self.condition());
        let name = self.local("r");
        match self.random.u32(0..6) {
            0 => format!(
                "\tint {name};\n\t{{\n\t\tint own = {value}, its = {other};\n\t\tint *place = {condition} ? &own : &its;\n\t\t*place += {leaf};\n\t\t{name} = own - its;\n\t}}\n"
            ),
            1 => format!("\tint {name} = operations[(unsigned){leaf} % 3]({value}, {other});\n"),
            2 => format!(
                "\tint {name};\n\t{{\n\t\tint (*operation)(int, int) = {condition} ? minimum : second_of;\n\t\t{name} = operation({value}, {leaf}) + (operation == minimum);\n\t}}\n"
            ),
            3 => format!(
                "\tint {name};\n\t{{\n\t\tint one = {value}, two = {other}, *places[3] = {{ &one, &two, 0 }};\n\t\tint **at = &places[(unsigned){leaf} % 3];\n\t\t{name} = *at ? **at : 5;\n\t\tif (*at == &two)\n\t\t\tone = {name} + 1;\n\t\t{name} += one;\n\t}}\n"
            ),
            4 => format!(
                "\tint {name};\n\t{{\n\t\tatomic_int *place = {condition} ? &c : &d;\n\t\t{name} = atomic_fetch_add(place, {value}) + (place == &d);\n\t}}\n"
            ),
            _ => format!(
                "\tint {name} = 0;\n\tfor (struct node *it = {condition} ? &nodes[0] : &nodes[2]; it; it = it->next)\n\t\tif (it->value == {leaf})\n\t\t\t{name} = it - nodes + {value};\n"
            ),
        }
    }
}
