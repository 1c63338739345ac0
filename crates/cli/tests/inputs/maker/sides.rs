//! Statements whose branches only compute, products and quotients, tables, and stores at places
//! that inputs select.

use super::Maker;

impl Maker {
    /// A variable that conditions give other values, in branches that meet again.
    pub(super) fn sides(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let [first, second] = [self.condition(), self.condition()];
        let more = self.leaf();
        let name = self.local("s");
        match self.random.u32(0..6) {
            0 => format!(
                "\tint {name} = {value};\n\tif ({first})\n\t\t{name} = {other};\n\telse if ({second})\n\t\t{name} -= {more};\n"
            ),
            1 => format!(
                "\tint {name} = {value};\n\tif ({first} && {second} || {name} > 4)\n\t\t{name} = {more} - {name};\n"
            ),
            2 => format!(
                "\tint {name} = ({first} || {second}) + 2 * ({first} && !{second}) + ({more} & 1);\n"
            ),
            3 => format!(
                "\tint {name};\n\t{{\n\t\tunsigned char rest = {value};\n\t\tfor (int i = 0; i < 5; i++)\n\t\t\trest = rest & 0x80 ? rest << 1 ^ 0x1d : (rest << 1) + ({more} & 1);\n\t\t{name} = rest;\n\t}}\n"
            ),
            4 => format!(
                "\tint {name} = {value}, low{name} = {other};\n\tif ({name} < low{name}) {{\n\t\tint kept = {name};\n\t\t{name} = low{name};\n\t\tlow{name} = kept;\n\t}}\n\t{name} = {name} * 4 - low{name};\n"
            ),
            _ => format!(
                "\tint {name} = {value};\n\tif ({first}) {{\n\t\tif ({second})\n\t\t\t{name} += {more};\n\t\telse\n\t\t\t{name} ^= 5;\n\t\t{name} *= 2;\n\t}}\n"
            ),
        }
    }

    /// Products, quotients and characters.
    pub(super) fn products(&mut self) -> String {
        let (value, other) = (self.expression(), self.leaf());
        let name = self.local("p");
        match self.random.u32(0..5) {
            0 => format!("\tint {name} = {value} * {other} - {other} * 3;\n"),
            1 => format!(
                "\tint by{name} = ({other} & 7) + 1, {name} = {value} / by{name} * by{name} + {value} % by{name};\n"
            ),
            2 => format!(
                "\tint by{name} = -({other} & 3) - 1, {name} = {value} / by{name} - {value} % by{name};\n"
            ),
            3 => {
                format!("\tint {name} = ({value} & 15u) * ({other} & 15u) % 7 << ({other} & 3);\n")
            }
            _ => format!(
                "\tchar ch{name} = '0' + ({value} & 15);\n\tint {name} = ch{name} >= '0' && ch{name} <= '9' ? ch{name} - '0' : ch{name} | 32;\n"
            ),
        }
    }

    /// Stores and loads at places that inputs select, and tables whose results are sums of bits.
    pub(super) fn places(&mut self) -> String {
        let (value, other) = (self.expression(), self.expression());
        let (index, place) = (self.leaf(), self.leaf());
        let name = self.local("q");
        match self.random.u32(0..4) {
            0 => format!(
                "\tint own{name}[4] = {{ 1, 2, 3, 4 }};\n\town{name}[{index} & 3] = {value};\n\town{name}[{place} & 3] += {other};\n\tint {name} = own{name}[({index} + 1) & 3] - own{name}[{place} & 3];\n"
            ),
            1 => format!(
                "\tunsigned char count{name}[4] = {{ 0 }};\n\tcount{name}[{value} & 3]++;\n\tcount{name}[{other} & 3]++;\n\tint {name} = count{name}[0] * 9 + count{name}[1] * 3 + count{name}[2];\n"
            ),
            2 => format!("\tint {name} = reflected[({value} ^ reflected[{index} & 15]) & 15];\n"),
            _ => format!(
                "\tunsigned rest{name} = reflected[{value} & 15];\n\trest{name} = rest{name} >> 4 ^ reflected[(rest{name} ^ {index}) & 15];\n\tint {name} = rest{name};\n"
            ),
        }
    }
}
