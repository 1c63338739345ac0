//! Variables and functions.

use super::{BYTE, Function, Kind, Maker, Place, TYPES, Type, numbers};

impl Maker {
    pub(super) fn add(&mut self, text: String, ty: Type) {
        self.places.push(Place {
            text,
            ty,
            is_constant: false,
        });
    }

    /// A type of a variable.
    pub(super) fn ty(&mut self) -> Type {
        match self.kind {
            Kind::Overflow => match self.chance(50) {
                true => TYPES[8],
                false => self.one(&TYPES),
            },
            _ => self.one(&TYPES),
        }
    }

    pub(super) fn first_value(&mut self, ty: Type) -> String {
        if self.chance(50)
            && let Some((value, size)) = self.input()
        {
            self.uses("input");
            let fits = size <= ty.high || self.kind != Kind::Integer;
            return if fits { value } else { format!("{value} % 2") };
        }
        let constant = self.constant();
        if self.kind == Kind::Overflow && ty.name == "int" && self.chance(50) {
            return self
                .one(&["2147483647", "-2147483647 - 1", "1 << 30", "2147483600"])
                .to_owned();
        }
        let value = if constant > ty.high {
            ty.high
        } else {
            constant
        };
        value.to_string()
    }

    /// A declaration of something with numbers.
    pub(super) fn variable(&mut self, is_global: bool) {
        let ty = self.ty();
        match self.random.u8(0..16) {
            0..=1 => self.array(ty, is_global),
            2 => self.structure(ty, is_global),
            3 if self.kind == Kind::Plain => self.bit_fields(),
            4 if self.kind == Kind::Plain => self.overlapping(),
            5 if !is_global => {
                self.uses("static");
                let (name, first) = (self.name("t"), self.constant().min(ty.high));
                self.line(&format!("static {} {name} = {first};", ty.name));
                self.add(name, ty);
            }
            6 if self.chance(40) => {
                self.uses("volatile");
                let (name, first) = (self.name("v"), self.first_of(ty, is_global));
                self.line(&format!("volatile {} {name} = {first};", ty.name));
                self.add(name, ty);
            }
            7 => {
                let name = self.plain(ty, is_global);
                if !is_global {
                    self.uses("pointer");
                    let pointer = self.name("p");
                    self.line(&format!("{} *{pointer} = &{name};", ty.name));
                    self.add(format!("(*{pointer})"), ty);
                }
            }
            _ => {
                self.plain(ty, is_global);
            }
        }
    }

    fn first_of(&mut self, ty: Type, is_global: bool) -> String {
        match is_global {
            true => self.constant().min(ty.high).to_string(),
            false => self.first_value(ty),
        }
    }

    fn plain(&mut self, ty: Type, is_global: bool) -> String {
        let (name, first) = (self.name("x"), self.first_of(ty, is_global));
        self.line(&format!("{} {name} = {first};", ty.name));
        self.add(name.clone(), ty);
        name
    }

    /// An array of two or four, and perhaps a pointer into it.
    fn array(&mut self, ty: Type, is_global: bool) {
        self.uses("array");
        let (name, first) = (self.name("a"), self.first_of(ty, is_global));
        if self.chance(50) {
            let second = self.first_of(ty, is_global);
            self.line(&format!("{} {name}[2] = {{{first}, {second}}};", ty.name));
            let index = self.index();
            self.add(format!("{name}[{index} & 1]"), ty);
            self.add(format!("{name}[1]"), ty);
            return;
        }
        self.line(&format!("{} {name}[4] = {{{first}, 1, 2}};", ty.name));
        let index = self.index();
        self.add(format!("{name}[{index} & 3]"), ty);
        if self.chance(50) && !is_global {
            self.uses("pointer");
            let pointer = self.name("p");
            self.line(&format!("{} *{pointer} = {name};", ty.name));
            self.add(format!("(*{pointer})"), ty);
            let index = self.index();
            self.add(format!("(*({pointer} = &{name}[{index} & 3]))"), ty);
        }
    }

    fn structure(&mut self, ty: Type, is_global: bool) {
        self.uses("struct");
        let (name, first) = (self.name("s"), self.first_of(ty, is_global));
        let other = self.ty();
        let second = (self.constant() % 100).min(other.high);
        let fields = format!("{} f; {} g;", ty.name, other.name);
        self.line(&format!(
            "struct {{ {fields} }} {name} = {{{first}, {second}}};"
        ));
        self.add(format!("{name}.f"), ty);
        self.add(format!("{name}.g"), other);
    }

    fn bit_fields(&mut self) {
        self.uses("bit-field");
        let (name, first) = (self.name("s"), self.constant() % 8);
        self.line(&format!(
            "struct {{ unsigned f : 3; int g : 4; }} {name} = {{{first}, 1}};"
        ));
        self.add(format!("{name}.f"), numbers("unsigned", 0, 7, false));
        self.add(format!("{name}.g"), numbers("int", -8, 7, false));
    }

    fn overlapping(&mut self) {
        self.uses("union");
        let (name, first) = (self.name("u"), self.constant() % 100);
        let members = "unsigned char f[2]; signed char g; unsigned short h;";
        self.line(&format!(
            "union {{ {members} }} {name} = {{{{{first}, 0}}}};"
        ));
        self.add(format!("{name}.f[0]"), BYTE);
        self.add(format!("{name}.f[1]"), BYTE);
        self.add(format!("{name}.g"), TYPES[3]);
        let both = numbers("unsigned short", 0, 65535, true);
        self.add(format!("{name}.h"), both);
    }

    pub(super) fn index(&mut self) -> String {
        let is_name = |place: &&Place| place.text.chars().all(char::is_alphanumeric);
        let names: Vec<Place> = self.places.iter().filter(is_name).cloned().collect();
        match names.is_empty() {
            true => "1".to_owned(),
            false => self.one(&names).text,
        }
    }

    pub(super) fn function(&mut self) {
        let globals = self.places.len();
        let name = self.name("f");
        if self.chance(20) {
            self.open(&format!("static void {name}(unsigned char *p) {{"));
            self.add("(*p)".to_owned(), BYTE);
            self.budget = 3;
            self.block(1);
            self.close("}");
            self.places.truncate(globals);
            self.functions.push(Function {
                name,
                parameters: vec![BYTE],
                by_address: true,
            });
            return;
        }
        let recursive = self.chance(50);
        let parameters: Vec<Type> = (0..self.random.u8(1..3))
            .map(|_| self.one(&TYPES[..5]))
            .collect();
        let declared: Vec<String> = parameters
            .iter()
            .zip(["n", "m"])
            .map(|(ty, name)| format!("{} {name}", ty.name))
            .collect();
        let result = self.one(&["int", "unsigned char", "signed char"]);
        self.open(&format!(
            "static {result} {name}({}) {{",
            declared.join(", ")
        ));
        for (ty, name) in parameters.iter().zip(["n", "m"]) {
            self.add(name.to_owned(), *ty);
        }
        self.budget = 4;
        self.returns = "return 1;";
        let in_loop = std::mem::replace(&mut self.in_loop, false);
        if recursive {
            self.uses("recursion");
            self.heads += 1;
            let (number, second) = (self.heads, if parameters.len() == 2 { "m" } else { "0" });
            self.line(&format!("CALLED({number}, n, {second});"));
            let condition = match self.chance(70) {
                true => format!(
                    "n {}",
                    self.one(&["< 1", "<= 1", "== 0", "> 20", "> 100", "< 0"])
                ),
                false => self.condition(1),
            };
            let (value, _) = self.expression(1);
            self.line(&format!("if ({condition}) return {value};"));
            if self.chance(40) {
                self.statement(0);
            }
            let first = match self.random.u8(0..5) {
                0..=2 => format!(
                    "n {} {}",
                    self.one(&["-", "-", "+"]),
                    self.one(&[1, 1, 2, 3])
                ),
                3 => "n / 2".to_owned(),
                _ => self.expression(1).0,
            };
            let rest = match parameters.len() {
                2 => format!(", {}", self.expression(1).0),
                _ => String::new(),
            };
            match self.chance(25) {
                true => self.line(&format!("{name}({first}{rest});")),
                false => self.line(&format!("n = {name}({first}{rest});")),
            }
            if self.chance(15) {
                self.line(&format!("if ({}) {name}({first}{rest});", "n > 3"));
            }
        } else {
            self.block(1);
        }
        let (value, _) = self.expression(1);
        self.line(&format!("return {value};"));
        self.close("}");
        self.in_loop = in_loop;
        self.places.truncate(globals);
        self.functions.push(Function {
            name,
            parameters,
            by_address: false,
        });
    }
}
