//! A readable text of a function's body, for people who look for mistakes and for tests.

use crate::instruction::{
    Body, Callee, Clause, Constant, Instruction, Operand, Place, Range, Scalar, Slot, SymbolId,
    VariablePlace,
};
use crate::unit::{Function, Unit};
use std::fmt::{self, Display, Write};

/// The text of a function of a unit.
pub fn dump(unit: &Unit, function: &Function) -> String {
    let body: Body = postcard::from_bytes(&function.body).expect("a unit holds valid bodies");
    let mut text = String::new();
    Dump { unit, body: &body }
        .write(function, &mut text)
        .expect("a string takes any text");
    text
}

struct Dump<'a> {
    unit: &'a Unit,
    body: &'a Body,
}

/// Items with commas between them.
fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

impl Dump<'_> {
    fn write(&self, function: &Function, out: &mut String) -> fmt::Result {
        let signature = &function.signature;
        writeln!(
            out,
            "{}({}{}) -> ({}), {} slots",
            self.symbol(function.symbol),
            list(&signature.parameters),
            if signature.variadic { ", ..." } else { "" },
            list(&signature.results),
            self.body.slots
        )?;
        for variable in &self.body.variables {
            match variable.place {
                VariablePlace::Value {
                    slot,
                    scalar,
                    offset,
                } => writeln!(out, "  {} + {offset}: {scalar} in {slot}", variable.name)?,
                VariablePlace::Object(slot) => writeln!(out, "  {}: at {slot}", variable.name)?,
            }
        }
        for (position, instruction) in self.body.code.iter().enumerate() {
            writeln!(out, "{position:4}  {}", self.instruction(instruction))?;
        }
        Ok(())
    }

    fn symbol(&self, id: SymbolId) -> String {
        format!("@{}", self.unit.symbols[id.0 as usize].name)
    }

    fn operand(&self, operand: Operand, scalar: Option<Scalar>) -> String {
        match operand.place() {
            Place::Slot(slot) => slot.to_string(),
            Place::Constant(index) => {
                let first = self.constant(&self.body.constants[index as usize]);
                match scalar.map(Scalar::words) {
                    Some(2) => format!(
                        "{first}:{}",
                        self.constant(&self.body.constants[index as usize + 1])
                    ),
                    _ => first,
                }
            }
        }
    }

    fn constant(&self, constant: &Constant) -> String {
        match constant {
            Constant::Word(word) if word.undefined != 0 => "undefined".into(),
            Constant::Word(word) if word.bits > 1 << 32 => format!("{:#x}", word.bits),
            Constant::Word(word) => word.bits.to_string(),
            Constant::Address(symbol, 0) => self.symbol(*symbol),
            Constant::Address(symbol, offset) => format!("{}{offset:+}", self.symbol(*symbol)),
        }
    }

    fn operands(&self, range: Range, scalar: Option<Scalar>) -> String {
        list(
            self.body
                .operands_in(range)
                .iter()
                .map(|&o| self.operand(o, scalar)),
        )
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        use Instruction as I;
        let one = |operand: Operand| self.operand(operand, None);
        let of = |operand: Operand, scalar: Scalar| self.operand(operand, Some(scalar));
        match instruction {
            I::Move {
                destination,
                source,
            } => format!("{destination} = {}", one(*source)),
            I::Undefine {
                destination,
                scalar,
            } => format!("{destination} = undefined {scalar}"),
            I::Binary {
                operation,
                scalar,
                destination,
                left,
                right,
                ..
            } => format!(
                "{destination} = {operation:?} {scalar} {}, {}",
                of(*left, *scalar),
                of(*right, *scalar)
            ),
            I::Compare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => format!(
                "{destination} = {comparison:?} {scalar} {}, {}",
                of(*left, *scalar),
                of(*right, *scalar)
            ),
            I::Float {
                operation,
                scalar,
                destination,
                left,
                right,
            } => format!(
                "{destination} = {operation:?} {scalar} {}, {}",
                of(*left, *scalar),
                of(*right, *scalar)
            ),
            I::FloatCompare {
                comparison,
                scalar,
                destination,
                left,
                right,
            } => {
                let outcomes = [
                    (comparison.unordered, "unordered"),
                    (comparison.equal, "equal"),
                    (comparison.greater, "greater"),
                    (comparison.less, "less"),
                ];
                let outcomes: Vec<&str> = outcomes.iter().filter(|o| o.0).map(|o| o.1).collect();
                let outcomes = outcomes.join(" or ");
                format!(
                    "{destination} = {outcomes} {scalar} {}, {}",
                    of(*left, *scalar),
                    of(*right, *scalar)
                )
            }
            I::Convert {
                conversion,
                from,
                to,
                destination,
                source,
            } => {
                format!(
                    "{destination} = {conversion:?} {from} {} to {to}",
                    of(*source, *from)
                )
            }
            I::Select {
                scalar,
                destination,
                condition,
                then,
                otherwise,
            } => format!(
                "{destination} = if {} then {scalar} {} else {}",
                one(*condition),
                of(*then, *scalar),
                of(*otherwise, *scalar)
            ),
            I::Freeze {
                scalar,
                destination,
                source,
            } => format!("{destination} = freeze {scalar} {}", of(*source, *scalar)),
            I::Repack {
                from,
                to,
                destination,
                arguments,
            } => {
                format!(
                    "{destination} = repack {from} {} to {to}",
                    self.operands(*arguments, Some(*from))
                )
            }
            I::Compute {
                intrinsic,
                scalar,
                destination,
                arguments,
            } => {
                format!(
                    "{destination} = {intrinsic:?} {scalar} {}",
                    self.operands(*arguments, Some(*scalar))
                )
            }
            I::AddressOffset {
                destination,
                base,
                offset,
            } => format!("{destination} = {} {offset:+}", one(*base)),
            I::AddressIndex {
                destination,
                base,
                index,
                width,
                scale,
            } => {
                format!(
                    "{destination} = {} + i{width} {} * {scale}",
                    one(*base),
                    one(*index)
                )
            }
            I::ThreadLocal {
                destination,
                variable,
            } => format!("{destination} = thread-local {}", self.symbol(*variable)),
            I::Call { site } => self.call(site.0 as usize),
            I::Return { values } => format!("return {}", self.operands(*values, None))
                .trim_end()
                .to_string(),
            _ => self.effect(instruction),
        }
    }

    fn effect(&self, instruction: &Instruction) -> String {
        use Instruction as I;
        let one = |operand: Operand| self.operand(operand, None);
        let of = |operand: Operand, scalar: Scalar| self.operand(operand, Some(scalar));
        let volatility = |volatile: bool| if volatile { " volatile" } else { "" };
        match instruction {
            I::Allocate {
                destination,
                count,
                element_bytes,
                align,
                ..
            } => {
                format!(
                    "{destination} = allocate {} * {element_bytes}, align {align}",
                    one(*count)
                )
            }
            I::LifetimeStart { address } => format!("lifetime start {}", one(*address)),
            I::LifetimeEnd { address } => format!("lifetime end {}", one(*address)),
            I::StackSave { destination } => format!("{destination} = save stack"),
            I::StackRestore { saved } => format!("restore stack {}", one(*saved)),
            I::Load {
                scalar,
                ordering,
                volatile,
                destination,
                address,
            } => format!(
                "{destination} = load {scalar} {}{}{}",
                one(*address),
                order(*ordering),
                volatility(*volatile)
            ),
            I::Store {
                scalar,
                ordering,
                volatile,
                source,
                address,
            } => format!(
                "store {scalar} {} to {}{}{}",
                of(*source, *scalar),
                one(*address),
                order(*ordering),
                volatility(*volatile)
            ),
            I::Update {
                operation,
                scalar,
                ordering,
                destination,
                address,
                source,
            } => format!(
                "{destination} = update {operation:?} {scalar} {} with {}{}",
                one(*address),
                of(*source, *scalar),
                order(*ordering)
            ),
            I::CompareExchange {
                scalar,
                success,
                failure,
                weak,
                destination,
                address,
                expected,
                replacement,
            } => format!(
                "{destination} = compare-exchange{} {scalar} {} from {} to {}{}, else{}",
                if *weak { " weak" } else { "" },
                one(*address),
                of(*expected, *scalar),
                of(*replacement, *scalar),
                order(*success),
                order(*failure)
            ),
            I::NonTemporal => "non-temporal".into(),
            I::Fence {
                ordering,
                single_thread,
            } => {
                format!(
                    "fence{}{}",
                    order(*ordering),
                    if *single_thread { " single-thread" } else { "" }
                )
            }
            I::CopyMemory {
                destination,
                source,
                bytes,
                may_overlap,
            } => format!(
                "{} {} to {}, {} bytes",
                if *may_overlap { "move" } else { "copy" },
                one(*source),
                one(*destination),
                one(*bytes)
            ),
            I::FillMemory {
                destination,
                value,
                bytes,
            } => {
                format!(
                    "fill {} with {}, {} bytes",
                    one(*destination),
                    one(*value),
                    one(*bytes)
                )
            }
            I::VariableArgumentsStart { list } => {
                format!("start variable arguments {}", one(*list))
            }
            I::VariableArgumentsCopy {
                destination,
                source,
            } => {
                format!(
                    "copy variable arguments {} to {}",
                    one(*source),
                    one(*destination)
                )
            }
            I::Jump { target } => format!("jump {}", target.0),
            I::Branch {
                condition,
                then,
                otherwise,
            } => {
                format!(
                    "if {} jump {} else {}",
                    one(*condition),
                    then.0,
                    otherwise.0
                )
            }
            I::Switch {
                scalar,
                value,
                cases,
                default,
            } => {
                let cases = self.body.cases[cases.indices()].iter();
                let cases = list(cases.map(|(value, target)| format!("{value}: {}", target.0)));
                format!(
                    "switch {scalar} {} [{cases}] else {}",
                    one(*value),
                    default.0
                )
            }
            I::IndirectJump { target, cases } => {
                let cases = self.body.cases[cases.indices()].iter();
                let cases = list(cases.map(|(value, target)| format!("{value}: {}", target.0)));
                format!("jump to {} [{cases}]", one(*target))
            }
            I::LandingPad {
                destination,
                clauses,
            } => {
                let pad = &self.body.pads[clauses.0 as usize];
                let cleanup = if pad.cleanup { " cleanup" } else { "" };
                format!(
                    "{destination} = landing pad{cleanup} [{}]",
                    list(pad.clauses.iter().map(|c| self.clause(c)))
                )
            }
            I::Unreachable => "unreachable".into(),
            I::Unsupported { reason } => {
                format!("unsupported: {}", self.body.names[*reason as usize])
            }
            other => format!("{other:?}"),
        }
    }

    fn clause(&self, clause: &Clause) -> String {
        let ty =
            |symbol: &Option<SymbolId>| symbol.map_or("all".into(), |symbol| self.symbol(symbol));
        match clause {
            Clause::Catch(symbol) => format!("catch {}", ty(symbol)),
            Clause::Filter(types) => format!("only {}", list(types.iter().map(ty))),
        }
    }

    fn call(&self, index: usize) -> String {
        let site = &self.body.sites[index];
        let callee = match site.callee {
            Callee::Symbol(symbol) => self.symbol(symbol),
            Callee::Address(address) => self.operand(address, None),
        };
        let arguments = site.arguments.iter().enumerate().map(|(index, argument)| {
            let variable = if index as u32 == site.fixed {
                "... "
            } else {
                ""
            };
            let value = self.operand(argument.value, Some(argument.scalar));
            let copied = argument
                .by_value
                .map_or(String::new(), |(bytes, _)| format!(" copied {bytes} bytes"));
            format!("{variable}{} {value}{copied}", argument.scalar)
        });
        let mut text = format!("call {callee}({})", list(arguments));
        if !site.results.is_empty() {
            text = format!("{} = {text} -> {}", site.destination, list(&site.results));
        }
        if let Some(landing) = site.landing {
            let _ = write!(text, " landing {}", landing.0);
        }
        text
    }
}

fn order(ordering: crate::instruction::Ordering) -> String {
    match ordering.is_atomic() {
        true => format!(" {ordering:?}"),
        false => String::new(),
    }
}

impl Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Integer(bits) | Scalar::Wide(bits) => write!(f, "i{bits}"),
            Scalar::Float => f.write_str("float"),
            Scalar::Double => f.write_str("double"),
            Scalar::Extended => f.write_str("extended"),
            Scalar::Pointer => f.write_str("pointer"),
            Scalar::Pointer32 => f.write_str("pointer32"),
        }
    }
}
