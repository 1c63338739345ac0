//! LLVM's intrinsics: what each one becomes.

use super::builder::Label;
use super::function::Translator;
use super::llvm::{Instruction as Source, Metadata, TypeKind, Value};
use super::operations::float_comparison_by_name;
use super::types::Unsupported;
use crate::instruction::{
    BinaryOperation, Conversion, FloatOperation, Instruction, Intrinsic, Operand, PoisonFlags, Slot,
};

/// Those that compute scalars from scalars.
fn pure(stem: &str) -> Option<Intrinsic> {
    Some(match stem {
        "ctpop" => Intrinsic::CountOnes,
        "ctlz" => Intrinsic::CountLeadingZeros,
        "cttz" => Intrinsic::CountTrailingZeros,
        "bswap" => Intrinsic::SwapBytes,
        "bitreverse" => Intrinsic::ReverseBits,
        "fshl" => Intrinsic::FunnelShiftLeft,
        "fshr" => Intrinsic::FunnelShiftRight,
        "umin" => Intrinsic::UnsignedMinimum,
        "umax" => Intrinsic::UnsignedMaximum,
        "smin" => Intrinsic::SignedMinimum,
        "smax" => Intrinsic::SignedMaximum,
        "abs" => Intrinsic::Absolute,
        "sadd.sat" => Intrinsic::SaturatingSignedAdd,
        "uadd.sat" => Intrinsic::SaturatingUnsignedAdd,
        "ssub.sat" => Intrinsic::SaturatingSignedSubtract,
        "usub.sat" => Intrinsic::SaturatingUnsignedSubtract,
        "sshl.sat" => Intrinsic::SaturatingSignedShiftLeft,
        "ushl.sat" => Intrinsic::SaturatingUnsignedShiftLeft,
        "fabs" => Intrinsic::FloatAbsolute,
        "sqrt" => Intrinsic::SquareRoot,
        "floor" => Intrinsic::Floor,
        "ceil" => Intrinsic::Ceiling,
        "trunc" => Intrinsic::TruncateToIntegral,
        "rint" | "nearbyint" => Intrinsic::RoundCurrent,
        "round" => Intrinsic::RoundTiesAway,
        "roundeven" => Intrinsic::RoundTiesToEven,
        "copysign" => Intrinsic::CopySign,
        "minnum" => Intrinsic::MinimumNumber,
        "maxnum" => Intrinsic::MaximumNumber,
        "minimum" => Intrinsic::Minimum,
        "maximum" => Intrinsic::Maximum,
        "fma" => Intrinsic::FusedMultiplyAdd,
        "is.fpclass" => Intrinsic::IsFloatClass,
        "ptrmask" => Intrinsic::PointerMask,
        _ => return None,
    })
}

/// Those that also say whether they overflowed.
fn overflowing(stem: &str) -> Option<Intrinsic> {
    Some(match stem {
        "sadd.with.overflow" => Intrinsic::SignedAddOverflow,
        "uadd.with.overflow" => Intrinsic::UnsignedAddOverflow,
        "ssub.with.overflow" => Intrinsic::SignedSubtractOverflow,
        "usub.with.overflow" => Intrinsic::UnsignedSubtractOverflow,
        "smul.with.overflow" => Intrinsic::SignedMultiplyOverflow,
        "umul.with.overflow" => Intrinsic::UnsignedMultiplyOverflow,
        _ => return None,
    })
}

/// Those that are functions of the C library.
fn is_library(stem: &str) -> bool {
    matches!(
        stem,
        "sin"
            | "cos"
            | "tan"
            | "asin"
            | "acos"
            | "atan"
            | "sinh"
            | "cosh"
            | "tanh"
            | "pow"
            | "exp"
            | "exp2"
            | "exp10"
            | "log"
            | "log2"
            | "log10"
            | "ldexp"
            | "lrint"
            | "llrint"
            | "lround"
            | "llround"
    )
}

/// How the elements of a vector become one.
enum Reduction {
    Integer(BinaryOperation),
    Float(FloatOperation),
    Pure(Intrinsic),
}

fn reduction(stem: &str) -> Option<Reduction> {
    Some(match stem.strip_prefix("vector.reduce.")? {
        "add" => Reduction::Integer(BinaryOperation::Add),
        "mul" => Reduction::Integer(BinaryOperation::Multiply),
        "and" => Reduction::Integer(BinaryOperation::And),
        "or" => Reduction::Integer(BinaryOperation::Or),
        "xor" => Reduction::Integer(BinaryOperation::Xor),
        "fadd" => Reduction::Float(FloatOperation::Add),
        "fmul" => Reduction::Float(FloatOperation::Multiply),
        "smax" => Reduction::Pure(Intrinsic::SignedMaximum),
        "smin" => Reduction::Pure(Intrinsic::SignedMinimum),
        "umax" => Reduction::Pure(Intrinsic::UnsignedMaximum),
        "umin" => Reduction::Pure(Intrinsic::UnsignedMinimum),
        "fmax" => Reduction::Pure(Intrinsic::MaximumNumber),
        "fmin" => Reduction::Pure(Intrinsic::MinimumNumber),
        "fmaximum" => Reduction::Pure(Intrinsic::Maximum),
        "fminimum" => Reduction::Pure(Intrinsic::Minimum),
        _ => return None,
    })
}

impl<'m> Translator<'_, 'm> {
    /// Translates a call of the intrinsic with this stem. Fails if it has no executable form.
    pub fn intrinsic(
        &mut self,
        source: Source<'m>,
        stem: &str,
        landing: Option<Label>,
    ) -> Result<(), Unsupported> {
        if let Some(constrained) = stem.strip_prefix("experimental.constrained.") {
            return self.constrained(source, constrained, landing);
        }
        if let Some(intrinsic) = pure(stem) {
            return self.pure(source, intrinsic);
        }
        if let Some(intrinsic) = overflowing(stem) {
            return self.overflowing(source, intrinsic);
        }
        if let Some(reduction) = reduction(stem) {
            return self.reduce(source, reduction);
        }
        if is_library(stem) {
            return self.library(source, stem);
        }
        match stem {
            "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign"
            | "var.annotation"
            | "invariant.end"
            | "experimental.noalias.scope.decl"
            | "donothing"
            | "sideeffect"
            | "prefetch"
            | "va_end"
            | "clear_cache"
            | "pseudoprobe"
            | "x86.sse2.pause"
            | "x86.sse.sfence"
            | "x86.sse2.lfence"
            | "codeview.annotation" => Ok(()),
            "assume" => self.assume(source),
            "expect"
            | "expect.with.probability"
            | "annotation"
            | "ptr.annotation"
            | "ssa.copy"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "arithmetic.fence"
            | "threadlocal.address"
            | "preserve.array.access.index" => self.first_argument(source),
            "is.constant"
            | "invariant.start"
            | "returnaddress"
            | "frameaddress"
            | "addressofreturnaddress" => self.constant_result(source, 0),
            "get.rounding" | "flt.rounds" => self.constant_result(source, 1),
            "objectsize" => {
                let least = source.operand(1).integer() == Some(1);
                self.constant_result(source, if least { 0 } else { !0 })
            }
            "lifetime.start" | "lifetime.end" => self.lifetime(source, stem == "lifetime.start"),
            "memcpy" | "memcpy.inline" | "memmove" => self.copy_memory(source, stem == "memmove"),
            "memset" | "memset.inline" => self.fill_memory(source),
            "fmuladd" => self.multiply_add(source),
            "canonicalize" => self.first_argument(source),
            "stacksave" => {
                let destination = self.slot_of(source.value());
                self.build.push(Instruction::StackSave { destination });
                Ok(())
            }
            "stackrestore" => {
                let saved = self.operand(source.operand(0))?;
                self.build.push(Instruction::StackRestore { saved });
                Ok(())
            }
            "va_start" => {
                let list = self.operand(source.operand(0))?;
                self.build
                    .push(Instruction::VariableArgumentsStart { list });
                Ok(())
            }
            "va_copy" => {
                let destination = self.operand(source.operand(0))?;
                let source = self.operand(source.operand(1))?;
                self.build.push(Instruction::VariableArgumentsCopy {
                    destination,
                    source,
                });
                Ok(())
            }
            "x86.sse2.mfence" => {
                self.full_barrier();
                Ok(())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                self.call_runtime("llvm.trap", &[], source, landing)
            }
            "x86.rdtsc" | "readcyclecounter" => {
                self.call_runtime("__impasse_cycles", &[], source, landing)
            }
            "x86.rdtscp" => {
                self.call_runtime("__impasse_cycles_and_processor", &[], source, landing)
            }
            "eh.typeid.for" => {
                self.call_runtime("llvm.eh.typeid.for", &[source.operand(0)], source, landing)
            }
            _ => Err(Unsupported(format!(
                "the intrinsic {}",
                source.callee().name()
            ))),
        }
    }

    /// What is assumed and does not hold leads to where the compiler believes that execution never
    /// is. What operand bundles promise is not checked.
    fn assume(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        if source.operand(0).integer() == Some(1) {
            return Ok(());
        }
        let condition = self.operand(source.operand(0))?;
        let (then, otherwise) = (self.build.label(), self.build.label());
        self.build.push(Instruction::Branch {
            condition,
            then,
            otherwise,
        });
        self.build.bind(otherwise);
        self.build.push(Instruction::Unreachable);
        self.build.bind(then);
        Ok(())
    }

    fn pure(&mut self, source: Source<'m>, intrinsic: Intrinsic) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.operand(0).ty())?;
        if let Some(what) = layout.exotic {
            return Err(Unsupported(what.into()));
        }
        let results = self.context.types.layout(source.ty())?;
        let destination = self.slot_of(source.value());
        let arguments = source
            .arguments()
            .filter(|argument| argument.as_metadata().is_none())
            .map(|argument| self.operands(argument))
            .collect::<Result<Vec<_>, _>>()?;
        for (lane, part) in layout.parts.iter().enumerate() {
            let of_lane: Vec<Operand> = arguments
                .iter()
                .map(|lanes| *lanes.get(lane).unwrap_or(&lanes[0]))
                .collect();
            let arguments = self.build.operands(&of_lane);
            self.build.push(Instruction::Compute {
                intrinsic,
                scalar: part.scalar,
                destination: Slot(destination.0 + results.parts[lane].word),
                arguments,
            });
        }
        Ok(())
    }

    /// Arithmetic that respects the rounding mode and the exception flags: the mode is always to
    /// nearest, and nothing can read the flags.
    fn constrained(
        &mut self,
        source: Source<'m>,
        stem: &str,
        landing: Option<Label>,
    ) -> Result<(), Unsupported> {
        let destination = self.slot_of(source.value());
        let value = source.value();
        match stem {
            "fadd" => self.float(value, FloatOperation::Add, destination),
            "fsub" => self.float(value, FloatOperation::Subtract, destination),
            "fmul" => self.float(value, FloatOperation::Multiply, destination),
            "fdiv" => self.float(value, FloatOperation::Divide, destination),
            "frem" => self.float(value, FloatOperation::Remainder, destination),
            "fpext" => self.convert(value, Conversion::FloatExtend, destination),
            "fptrunc" => self.convert(value, Conversion::FloatTruncate, destination),
            "fptosi" => self.convert(value, Conversion::FloatToSigned, destination),
            "fptoui" => self.convert(value, Conversion::FloatToUnsigned, destination),
            "sitofp" => self.convert(value, Conversion::SignedToFloat, destination),
            "uitofp" => self.convert(value, Conversion::UnsignedToFloat, destination),
            "fcmp" | "fcmps" => {
                let predicate = source.operand(2).as_metadata().and_then(Metadata::string);
                let comparison = predicate.as_deref().and_then(float_comparison_by_name);
                let comparison =
                    comparison.ok_or_else(|| Unsupported(format!("the intrinsic {stem}")))?;
                self.float_compare(value, comparison, destination)
            }
            _ => self.intrinsic(source, stem, landing),
        }
    }

    fn overflowing(&mut self, source: Source<'m>, intrinsic: Intrinsic) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.operand(0).ty())?;
        let destination = self.slot_of(source.value());
        let left = self.operands(source.operand(0))?;
        let right = self.operands(source.operand(1))?;
        for (lane, part) in layout.parts.iter().enumerate() {
            let arguments = self.build.operands(&[left[lane], right[lane]]);
            let single = layout.parts.len() == 1;
            let words = part.scalar.words();
            let result = if single {
                destination
            } else {
                self.build.slots(words + 1)
            };
            self.build.push(Instruction::Compute {
                intrinsic,
                scalar: part.scalar,
                destination: result,
                arguments,
            });
            if !single {
                let flag = Operand::slot(Slot(result.0 + words));
                self.build.copy_scalar(
                    part.scalar,
                    Slot(destination.0 + part.word),
                    Operand::slot(result),
                );
                self.build
                    .copy(Slot(destination.0 + layout.words + lane as u32), flag);
            }
        }
        Ok(())
    }

    fn reduce(&mut self, source: Source<'m>, reduction: Reduction) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.ty())?;
        if let Some(what) = layout.exotic {
            return Err(Unsupported(what.into()));
        }
        let scalar = layout.parts[0].scalar;
        let destination = self.slot_of(source.value());
        let mut elements = Vec::new();
        for argument in source.arguments() {
            elements.extend(self.operands(argument)?);
        }
        let mut elements = elements.into_iter();
        let first = elements
            .next()
            .ok_or_else(|| Unsupported("an empty vector".into()))?;
        self.build.copy_scalar(scalar, destination, first);
        for right in elements {
            let left = Operand::slot(destination);
            let instruction = match reduction {
                Reduction::Integer(operation) => Instruction::Binary {
                    operation,
                    scalar,
                    poison_flags: PoisonFlags::default(),
                    destination,
                    left,
                    right,
                },
                Reduction::Float(operation) => Instruction::Float {
                    operation,
                    scalar,
                    destination,
                    left,
                    right,
                },
                Reduction::Pure(intrinsic) => Instruction::Compute {
                    intrinsic,
                    scalar,
                    destination,
                    arguments: self.build.operands(&[left, right]),
                },
            };
            self.build.push(instruction);
        }
        Ok(())
    }

    /// A function of the C library, named after the type.
    fn library(&mut self, source: Source<'m>, stem: &str) -> Result<(), Unsupported> {
        let suffix = match source.operand(0).ty().kind() {
            TypeKind::Float => "f",
            TypeKind::Double => "",
            TypeKind::Extended => "l",
            _ => {
                return Err(Unsupported(format!(
                    "the intrinsic {}",
                    source.callee().name()
                )));
            }
        };
        let arguments: Vec<Value<'m>> = source
            .arguments()
            .filter(|argument| argument.as_metadata().is_none())
            .collect();
        self.call_runtime(&format!("{stem}{suffix}"), &arguments, source, None)
    }

    /// The result is the first argument.
    fn first_argument(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.ty())?;
        let values = self.operands(source.operand(0))?;
        let destination = self.slot_of(source.value());
        self.copy_all(&layout, destination, &values);
        Ok(())
    }

    /// The result is a number, cut to its width.
    fn constant_result(&mut self, source: Source<'m>, number: u64) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.ty())?;
        let destination = self.slot_of(source.value());
        for part in &layout.parts {
            let value = self.wide_number(
                part.scalar,
                u128::from(number & crate::word::mask(part.scalar.bits().min(64))),
            );
            self.build
                .copy_scalar(part.scalar, Slot(destination.0 + part.word), value);
        }
        Ok(())
    }

    fn lifetime(&mut self, source: Source<'m>, starts: bool) -> Result<(), Unsupported> {
        let object = source.operand(1);
        if let Some((local, _)) = self.promotion.find(object) {
            self.undefine_local(&local);
            return Ok(());
        }
        if object.is_constant() {
            return Ok(());
        }
        let address = self.operand(object)?;
        let renews = starts && self.renews(object, source);
        self.build.push(match starts {
            true => Instruction::LifetimeStart { address, renews },
            false => Instruction::LifetimeEnd { address },
        });
        Ok(())
    }

    fn copy_memory(&mut self, source: Source<'m>, may_overlap: bool) -> Result<(), Unsupported> {
        if let Some((local, offset)) = self.promotion.find(source.operand(0))
            && let Some(length) = source.operand(2).integer()
        {
            let constant = self.operand(source.operand(1))?;
            self.copy_to_local(&local, offset..offset + length as u64, constant);
            return Ok(());
        }
        let destination = self.operand(source.operand(0))?;
        let from = self.operand(source.operand(1))?;
        let bytes = self.operand(source.operand(2))?;
        self.build.push(Instruction::CopyMemory {
            destination,
            source: from,
            bytes,
            may_overlap,
        });
        Ok(())
    }

    fn fill_memory(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let byte = source.operand(1);
        let length = source.operand(2);
        if let Some((local, offset)) = self.promotion.find(source.operand(0))
            && let (Some(byte), Some(length)) = (byte.integer(), length.integer())
        {
            self.fill_local(&local, offset..offset + length as u64, byte as u8);
            return Ok(());
        }
        let destination = self.operand(source.operand(0))?;
        let value = self.operand(byte)?;
        let bytes = self.operand(length)?;
        self.build.push(Instruction::FillMemory {
            destination,
            value,
            bytes,
        });
        Ok(())
    }

    /// `a * b + c`, rounded twice, as the processor without fused operations does it.
    fn multiply_add(&mut self, source: Source<'m>) -> Result<(), Unsupported> {
        let layout = self.context.types.layout(source.ty())?;
        if let Some(what) = layout.exotic {
            return Err(Unsupported(what.into()));
        }
        let destination = self.slot_of(source.value());
        let [a, b, c] = [0, 1, 2].map(|index| self.operands(source.operand(index)));
        let (a, b, c) = (a?, b?, c?);
        for (lane, part) in layout.parts.iter().enumerate() {
            let product = self.build.slots(part.scalar.words());
            let mut push = |operation, destination, left, right| {
                self.build.push(Instruction::Float {
                    operation,
                    scalar: part.scalar,
                    destination,
                    left,
                    right,
                });
            };
            push(FloatOperation::Multiply, product, a[lane], b[lane]);
            let sum = Slot(destination.0 + part.word);
            push(FloatOperation::Add, sum, Operand::slot(product), c[lane]);
        }
        Ok(())
    }
}
