//! Statements about memory whose size depends on inputs.

use super::{Maker, Theme};

impl Maker {
    /// A number of elements that is a small function of an input, as an `unsigned long`. May be
    /// zero.
    pub(super) fn count(&mut self) -> String {
        let (leaf, more) = (self.leaf(), self.expression());
        match self.random.u32(0..6) {
            0 => format!("{leaf} & 7"),
            1 => format!("({leaf} & 3) + 1"),
            2 => format!("({leaf} & 3) * 2"),
            3 => format!("{more} & 15"),
            4 => format!("(unsigned char)({more} * 37) % 12"),
            _ => format!("{leaf} > 2 ? {leaf} & 15 : 3"),
        }
    }

    /// An index: a constant, or a value that may be any.
    fn index(&mut self) -> String {
        match self.random.u32(0..5) {
            0 | 1 => self.random.u32(0..6).to_string(),
            2 => format!("(unsigned){}", self.expression()),
            3 => format!("(unsigned)({} & 7)", self.leaf()),
            _ => format!("(unsigned){}", self.leaf()),
        }
    }

    /// The operator of a check that should be `<`: it is not, now and then, if accesses outside of
    /// memory are the program's theme.
    fn below(&mut self) -> &'static str {
        match self.theme == Theme::Bounds && self.random.bool() {
            true => "<=",
            false => "<",
        }
    }

    /// The same for `<=`: the bytes that may be used, of a number.
    fn room(&mut self) -> &'static str {
        match self.theme == Theme::Bounds && self.random.bool() {
            true => "1 + ",
            false => "",
        }
    }

    /// Memory of a size that is a function of an input, and what is done with it.
    pub(super) fn memory(&mut self) -> String {
        let kind = self.pick(&["unsigned char", "unsigned char", "short", "int"]);
        let count = self.count();
        let is_array = self.random.u32(0..4) == 0;
        // Memory that no machine has room for, of more than 2^47 bytes or of a size that overflows.
        let large = match self.random.u32(0..4) {
            0 if !is_array => format!(" | (unsigned long)({} & 1) << 62", self.leaf()),
            _ => String::new(),
        };
        let made = match self.random.u32(0..4) {
            0 if large.is_empty() => "malloc(n * sizeof *p)",
            1 if kind == "unsigned char" => "malloc(n)",
            2 if large.is_empty() => "aligned_alloc(16, n * sizeof *p)",
            _ => "calloc(n, sizeof *p)",
        };
        let value = self.expression();
        let filled = match self.random.u32(0..3) {
            0 => format!("\t\t\tmemset(p, {value}, n * sizeof *p);\n"),
            1 => format!(
                "\t\t\tmemset(p, {}, n * sizeof *p);\n",
                self.random.u32(0..3)
            ),
            _ => format!(
                "\t\t\tfor (unsigned long i = 0; i < n; i++)\n\t\t\t\tp[i] = i + {value};\n"
            ),
        };
        let filled = match made.starts_with("calloc") && !is_array && self.random.bool() {
            true => String::new(),
            false => filled,
        };
        let uses = self.random.u32(1..=3);
        let uses: String = (0..uses).map(|_| self.use_of_memory(is_array)).collect();
        let name = self.local("m");
        let (array, room) = match is_array {
            true => (format!("\t\t{kind} p[n];\n\t\t{{\n"), " + 1"),
            false => (format!("\t\t{kind} *p = {made};\n\t\tif (p) {{\n"), ""),
        };
        let end = if is_array { "" } else { "\t\t\tfree(p);\n" };
        format!(
            "\tint {name} = 0;\n\t{{\n\t\tint sum = 0;\n\t\tunsigned at, to;\n\t\tunsigned long n = ({count}){room}{large};\n{array}{filled}{uses}{end}\t\t}}\n\t\t{name} = sum & 15;\n\t}}\n"
        )
    }

    /// A use of the `n` elements at `p`, all of which have values.
    fn use_of_memory(&mut self, is_array: bool) -> String {
        // What threads share may change from one reading to the next.
        let set = format!("at = {}, to = {};", self.index(), self.index());
        let (index, other, value) = ("at", "to", self.expression());
        let (below, room) = (self.below(), self.room());
        let text = match self.random.u32(0..12) {
            0 | 1 => format!("if ({index} {below} n)\n\t\t\t\tp[{index}] = {value};"),
            2 | 3 => format!("if ({index} {below} n)\n\t\t\t\tsum += p[{index}];"),
            4 => {
                format!("if ({index} <= {room}n * sizeof *p)\n\t\t\t\tmemset(p, {value}, {index});")
            }
            5 => format!(
                "if ({index} <= {room}n * sizeof *p && {index} <= 16)\n\t\t\t\tmemcpy(p, text16, {index});"
            ),
            6 => format!(
                "if ({index} <= {room}n * sizeof *p && {index} <= 16)\n\t\t\t\tsum += memcmp(p, text16, {index}) < 0;"
            ),
            7 if !is_array => {
                let count = self.count();
                format!(
                    "{{\n\t\t\t\tunsigned long more = ({count}) + 1;\n\t\t\t\tvoid *moved = realloc(p, more * sizeof *p);\n\t\t\t\tif (moved) {{\n\t\t\t\t\tp = moved;\n\t\t\t\t\tfor (; n < more; n++)\n\t\t\t\t\t\tp[n] = {value};\n\t\t\t\t\tn = more;\n\t\t\t\t}}\n\t\t\t}}"
                )
            }
            8 => "for (unsigned long i = 0; i < n; i++)\n\t\t\t\tsum += p[i];".into(),
            9 => format!(
                "if ({index} {below} n && {other} < n) {{\n\t\t\t\tint kept = p[{index}];\n\t\t\t\tp[{index}] = p[{other}];\n\t\t\t\tp[{other}] = kept;\n\t\t\t}}"
            ),
            10 => format!("if (n)\n\t\t\t\tmemmove(p, p + 1, ({room}n - 1) * sizeof *p);"),
            _ => format!(
                "if (n) {{\n\t\t\t\tchar *end = (char *)(p + n) - 1;\n\t\t\t\t*end = 0;\n\t\t\t\tsum += strlen((char *)p) {below} {index};\n\t\t\t}}"
            ),
        };
        format!("\t\t\t{set}\n\t\t\t{text}\n")
    }

    /// An access to the memory that threads share, whose size depends on inputs.
    pub(super) fn shared_memory(&mut self) -> String {
        let set = format!("unsigned at = {};", self.index());
        let (index, value, below) = ("at", self.expression(), self.below());
        let name = self.local("h");
        let text = match self.random.u32(0..3) {
            0 => format!("if ({index} {below} heap_size)\n\t\theap[{index}] = {value};"),
            1 => format!("if ({index} {below} heap_size)\n\t\t{name} = heap[{index}];"),
            _ => format!("for (unsigned i = 0; i {below} heap_size; i++)\n\t\t{name} ^= heap[i];"),
        };
        format!(
            "\tint {name} = 0;\n\t{{\n\t{set}\n\tpthread_mutex_lock(&mutex);\n\t{text}\n\tpthread_mutex_unlock(&mutex);\n\t}}\n"
        )
    }

    /// Memory that may be used after it was freed, freed twice, or not there.
    pub(super) fn misused_memory(&mut self) -> String {
        let (count, value) = (self.count(), self.expression());
        let (first, second) = (self.condition(), self.condition());
        let made = self.pick(&["malloc(size)", "calloc(size, 1)", "aligned_alloc(8, size)"]);
        let head = format!(
            "\t{{\n\t\tunsigned long size = ({count}) + 4;\n\t\tint *place = {made}, gone = {first};\n\t\t*place = {value};\n\t\tif (gone)\n\t\t\tfree(place);\n"
        );
        match self.theme {
            Theme::Freed => format!(
                "{head}\t\tif ({second})\n\t\t\tc = *place;\n\t\tif (!gone)\n\t\t\tfree(place);\n\t}}\n"
            ),
            Theme::Twice => format!("{head}\t\tif (!gone || {second})\n\t\t\tfree(place);\n\t}}\n"),
            _ => match self.random.bool() {
                true => format!("\td = *({first} ? 0 : &number);\n"),
                false => format!(
                    "\t{{\n\t\tchar *place = calloc(({count}) + 1, {first} ? 1 : -1ul / 2);\n\t\tif (place || {second})\n\t\t\tc = *place;\n\t\tfree(place);\n\t}}\n"
                ),
            },
        }
    }
}
