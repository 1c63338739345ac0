//! Calls of functions.

use super::builder::Label;
use super::function::Translator;
use super::llvm::{Instruction as Source, Value};
use super::types::Unsupported;
use crate::instruction::{Argument, CallSite, Callee, Constant, Instruction, Scalar};

impl<'m> Translator<'_, 'm> {
    /// Translates a call of any kind; an exception continues at `landing`. Fails if it has no
    /// executable form.
    pub fn call(&mut self, source: Source<'m>, landing: Option<Label>) -> Result<(), Unsupported> {
        let callee = source.callee();
        if let Some((assembly, constraints)) = callee.inline_assembly() {
            return self.assembly(source, &assembly, &constraints);
        }
        if let Some(stem) = self.context.stem(callee) {
            let stem = stem.to_string();
            return self.intrinsic(source, &stem, landing);
        }
        let callee = self.callee(callee)?;
        self.call_to(source, callee, landing)
    }

    /// Who is called: a symbol where that is known.
    fn callee(&mut self, callee: Value<'m>) -> Result<Callee, Unsupported> {
        let operand = self.operand(callee)?;
        Ok(match self.build.constant_of(operand) {
            Some(&Constant::Address(symbol, 0)) => Callee::Symbol(symbol),
            _ => Callee::Address(operand),
        })
    }

    /// A call with the arguments, results and promises of an instruction.
    fn call_to(
        &mut self,
        source: Source<'m>,
        callee: Callee,
        landing: Option<Label>,
    ) -> Result<(), Unsupported> {
        let fixed_values = source.callee_type().parameters().len();
        let mut arguments = Vec::new();
        let mut fixed = 0;
        for (index, value) in source.arguments().enumerate() {
            if index == fixed_values {
                fixed = arguments.len();
            }
            let layout = self.context.types.layout(value.ty())?;
            let by_value = self.by_value(source, index as u32)?;
            for (part, operand) in layout.parts.iter().zip(self.operands(value)?) {
                arguments.push(Argument {
                    value: operand,
                    scalar: part.scalar,
                    by_value,
                });
            }
        }
        if source.arguments().len() <= fixed_values {
            fixed = arguments.len();
        }
        let results = self.context.types.layout(source.ty())?;
        let destination = self.slot_of(source.value());
        self.build.call(CallSite {
            callee,
            arguments,
            fixed: fixed as u32,
            destination,
            results: results.scalars().collect(),
            landing,
            no_unwind: source.is_no_unwind(self.context.module),
            returns_twice: source.returns_twice(self.context.module),
        });
        Ok(())
    }

    fn by_value(
        &mut self,
        source: Source<'m>,
        argument: u32,
    ) -> Result<Option<(u32, u32)>, Unsupported> {
        let module = self.context.module;
        let Some((ty, align)) = source.by_value(module, argument) else {
            return Ok(None);
        };
        let bytes = self.context.types.size(ty)?;
        let bytes =
            u32::try_from(bytes).map_err(|_| Unsupported(format!("an argument of type {ty}")))?;
        Ok(Some((bytes, align.unwrap_or_else(|| module.align_of(ty)))))
    }

    /// Adds a call of a function that the module does not mention, with the scalars of some values.
    /// Fails if a value has no executable form.
    pub fn call_runtime(
        &mut self,
        name: &str,
        values: &[Value<'m>],
        source: Source<'m>,
        landing: Option<Label>,
    ) -> Result<(), Unsupported> {
        let mut arguments = Vec::new();
        for value in values {
            let layout = self.context.types.layout(value.ty())?;
            for (scalar, operand) in layout.scalars().zip(self.operands(*value)?) {
                arguments.push(plain(scalar, operand));
            }
        }
        let results = self.context.types.layout(source.ty())?;
        let destination = self.slot_of(source.value());
        let callee = Callee::Symbol(self.context.runtime_function(name));
        self.build.call(CallSite {
            callee,
            fixed: arguments.len() as u32,
            arguments,
            destination,
            results: results.scalars().collect(),
            landing,
            no_unwind: landing.is_none(),
            returns_twice: false,
        });
        Ok(())
    }

    /// Adds a call, without arguments or results, of a function that the module does not mention.
    pub fn call_plain_runtime(&mut self, name: &str) {
        let callee = Callee::Symbol(self.context.runtime_function(name));
        let destination = self.build.slots(0);
        self.build.call(CallSite {
            callee,
            arguments: Vec::new(),
            fixed: 0,
            destination,
            results: Vec::new(),
            landing: None,
            no_unwind: true,
            returns_twice: false,
        });
    }

    /// Translates `resume`: the unwinder continues with the callers of this function.
    pub fn resume(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let [exception, _] = self.operands(source.operand(0))?[..] else {
            return Err(Unsupported("an exception of an unknown form".into()));
        };
        let callee = Callee::Symbol(self.context.runtime_function("_Unwind_Resume"));
        let destination = self.build.slots(0);
        self.build.call(CallSite {
            callee,
            arguments: vec![plain(self.context.types.pointer(), exception)],
            fixed: 1,
            destination,
            results: Vec::new(),
            landing: None,
            no_unwind: false,
            returns_twice: false,
        });
        self.build.push(Instruction::Unreachable);
        Ok(())
    }
}

/// An argument that is not passed by value.
fn plain(scalar: Scalar, value: crate::instruction::Operand) -> Argument {
    Argument {
        value,
        scalar,
        by_value: None,
    }
}
