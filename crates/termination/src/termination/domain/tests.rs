//! On values that are known, the abstract domain computes what numbers do, and where an operation
//! is undefined, anything.

use super::*;
use crate::concolic::run::Subject;
use crate::termination::Mode;
use crate::termination::graph::Graph;
use impasse_machine::base::options::Options;
use impasse_machine::system::{ROOTS, System};
use impasse_program::debug::LocationId;
use impasse_program::instruction::{BinaryOperation as Op, Body, PoisonFlags};
use impasse_program::library::Library;
use impasse_program::link::Program;
use impasse_program::unit::{Definition, Function, Linkage, Signature, Symbol, Unit};
use impasse_semantics::arithmetic::{Hazard, checks_overflow, compare, distance, hazards};
use impasse_semantics::evaluate::evaluate;
use impasse_semantics::intrinsic;
use impasse_semantics::numbers::Narrow;
use impasse_semantics::vectors::{Sign, Vectors};
use impasse_solver::Terms;
use proptest::prelude::*;
use std::rc::Rc;
use std::time::Duration;

/// A program of empty functions, which the machine needs.
fn system() -> System {
    let mut unit = Unit::default();
    for (index, name) in (0..).zip(ROOTS) {
        unit.symbols.push(Symbol {
            name: name.into(),
            linkage: Linkage::Strong,
            definition: Definition::Function(index),
            function: true,
        });
        let body = Body {
            code: vec![Instruction::Unreachable],
            locations: vec![LocationId::default()],
            ..Body::default()
        };
        unit.functions.push(Function {
            symbol: SymbolId(index),
            signature: Signature::default(),
            display_name: name.into(),
            location: LocationId::default(),
            references: Vec::new(),
            no_unwind: false,
            personality: None,
            body: body.encode(),
        });
    }
    let program =
        Program::link(vec![unit], &Library::empty(), &|_| None, &ROOTS).expect("it links");
    System::new(program, Options::default()).expect("the roots are there")
}

/// Operands in the first slots; results go to the one after them.
const RESULT: Slot = Slot(3);

fn operand(slot: u32) -> Operand {
    Operand::slot(Slot(slot))
}

struct Sample<'s> {
    subject: &'s Subject<'s>,
    width: u32,
    numbers: [u64; 3],
}

impl Sample<'_> {
    fn scalar(&self) -> Scalar {
        Scalar::Integer(self.width as u8)
    }

    /// The words that an instruction assigns, each known or, where it is undefined, not.
    fn run(&self, instruction: &Instruction, results: u32) -> Vec<Option<u128>> {
        let terms = Terms::new();
        let time = Duration::from_secs(1);
        let mut executor = Executor::new(self.subject, &terms, (Mode::Proving, time), None);
        let program = &self.subject.system.program;
        let function = program.function(self.subject.entry);
        let frame = Frame {
            id: self.subject.entry,
            function,
            graph: Rc::new(Graph::of(&function.body).expect("a graph")),
            users: true,
        };
        let number = |bits| Some(Val::of(terms.constant(u128::from(bits), self.width as u8)));
        let mut state = State {
            slots: self.numbers.into_iter().map(number).collect(),
            ..State::default()
        };
        state.slots.resize(8, None);
        let place = CodePlace {
            function: self.subject.entry,
            position: Position(0),
        };
        let mut evaluation = Evaluation {
            executor: &mut executor,
            frame: &frame,
            state: &mut state,
            place,
        };
        let body = Body {
            operands: (0..3).map(operand).collect(),
            ..Body::default()
        };
        let next = evaluate(&mut evaluation, &body, instruction);
        assert!(matches!(next, Ok(Next::Following)), "{instruction:?}");
        let word = |slot: u32| {
            let value = state.slot(Slot(RESULT.0 + slot)).expect("a result");
            let known = terms.as_constant(value.term);
            let defined = value.poison.is_none_or(|poison| terms.is_false(poison));
            assert_eq!(
                known.is_some(),
                defined,
                "{instruction:?} {:?}",
                self.numbers
            );
            known
        };
        (0..results).map(word).collect()
    }

    fn expect(&self, instruction: &Instruction, expected: &[Option<u64>]) {
        let found = self.run(instruction, expected.len() as u32);
        let expected: Vec<_> = expected.iter().map(|bits| bits.map(u128::from)).collect();
        assert_eq!(found, expected, "{instruction:?} {:?}", self.numbers);
    }

    fn check_arithmetic(&self) {
        let (width, [a, b, _]) = (self.width, self.numbers);
        let flags = [false, true].map(|no_signed_wrap| PoisonFlags {
            no_signed_wrap,
            ..PoisonFlags::default()
        });
        let operations = [
            Op::Add,
            Op::Subtract,
            Op::Multiply,
            Op::UnsignedDivide,
            Op::SignedDivide,
            Op::UnsignedRemainder,
            Op::SignedRemainder,
            Op::ShiftLeft,
            Op::LogicalShiftRight,
            Op::ArithmeticShiftRight,
            Op::And,
            Op::Or,
            Op::Xor,
        ];
        for (operation, poison_flags) in operations.iter().flat_map(|&o| flags.map(|f| (o, f))) {
            let checks = checks_overflow(poison_flags, true);
            let mut undefined = false;
            let found = |holds, _: Hazard| undefined |= holds;
            hazards(Narrow, operation, checks, width, (a, b), found);
            let result = Narrow.binary(operation, width, a, b);
            let instruction = Instruction::Binary {
                operation,
                scalar: self.scalar(),
                poison_flags,
                destination: RESULT,
                left: operand(0),
                right: operand(1),
            };
            self.expect(&instruction, &[(!undefined).then_some(result)]);
        }
    }

    fn check_comparisons(&self) {
        use Comparison as C;
        let (width, [a, b, _]) = (self.width, self.numbers);
        for comparison in [
            C::Equal,
            C::NotEqual,
            C::UnsignedGreater,
            C::UnsignedGreaterEqual,
            C::UnsignedLess,
            C::UnsignedLessEqual,
            C::SignedGreater,
            C::SignedGreaterEqual,
            C::SignedLess,
            C::SignedLessEqual,
        ] {
            let instruction = Instruction::Compare {
                comparison,
                scalar: self.scalar(),
                destination: RESULT,
                left: operand(0),
                right: operand(1),
            };
            let holds = compare(Narrow, comparison, width, a, b);
            self.expect(&instruction, &[Some(holds.into())]);
        }
        let instruction = Instruction::Select {
            scalar: self.scalar(),
            destination: RESULT,
            condition: operand(2),
            then: operand(0),
            otherwise: operand(1),
        };
        let chosen = if self.numbers[2] & 1 == 1 { a } else { b };
        self.expect(&instruction, &[Some(chosen)]);
    }

    fn check_intrinsics(&self) {
        use Intrinsic as I;
        for intrinsic in [
            I::UnsignedMinimum,
            I::UnsignedMaximum,
            I::SignedMinimum,
            I::SignedMaximum,
            I::SignedAddOverflow,
            I::UnsignedAddOverflow,
            I::SignedSubtractOverflow,
            I::UnsignedSubtractOverflow,
            I::SignedMultiplyOverflow,
            I::UnsignedMultiplyOverflow,
        ] {
            let exact = intrinsic::compute(Narrow, intrinsic, self.width, &self.numbers);
            let exact = exact.expect("an intrinsic on integers");
            let instruction = Instruction::Compute {
                intrinsic,
                scalar: self.scalar(),
                destination: RESULT,
                arguments: Range { start: 0, count: 2 },
            };
            let flag = exact.overflow.map(|overflow| Some(u64::from(overflow)));
            let expected = [Some(Some(exact.value)), flag];
            let expected: Vec<Option<u64>> = expected.into_iter().flatten().collect();
            self.expect(&instruction, &expected);
        }
    }

    fn check_conversions(&self, to: u32) {
        use Conversion as C;
        for (conversion, sign) in [
            (C::Truncate, Sign::Unsigned),
            (C::ZeroExtend, Sign::Unsigned),
            (C::SignExtend, Sign::Signed),
        ] {
            let instruction = Instruction::Convert {
                conversion,
                from: self.scalar(),
                to: Scalar::Integer(to as u8),
                destination: RESULT,
                source: operand(0),
            };
            let result = Narrow.resize(sign, self.numbers[0], self.width, to);
            self.expect(&instruction, &[Some(result)]);
        }
    }

    fn check_addresses(&self, scale: u64) {
        let [a, b, _] = self.numbers;
        let instruction = Instruction::AddressIndex {
            destination: RESULT,
            base: operand(0),
            index: operand(1),
            width: self.width as u8,
            scale,
        };
        let by = distance(Narrow, b, self.width, scale);
        self.expect(&instruction, &[Some(a.wrapping_add(by))]);
        let instruction = Instruction::AddressOffset {
            destination: RESULT,
            base: operand(0),
            offset: scale as i64,
        };
        self.expect(&instruction, &[Some(a.wrapping_add(scale))]);
    }
}

/// Numbers near those where something changes: zero, the extremes, the width.
fn number(width: u32) -> impl Strategy<Value = u64> {
    let near = prop_oneof![
        Just(0),
        Just(u64::from(width)),
        (0..width).prop_map(|n| 1 << n)
    ];
    let near = (near, 0..5u64).prop_map(|(base, by)| base.wrapping_add(by).wrapping_sub(2));
    prop_oneof![near, any::<u64>()].prop_map(move |bits| bits & Narrow::mask(width))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn known_values_give_known_results(
        (width, numbers) in (1..=64u32).prop_flat_map(|width| {
            (Just(width), [number(width), number(width), number(width)])
        }),
        to in 1..=64u32,
        scale in any::<u64>(),
    ) {
        let system = system();
        let entry = system.program.find_function(ROOTS[0]).expect("it is there");
        let subject = Subject {
            system: &system,
            entry,
            test: None,
            globals: None,
            havoc_locals: false,
            havoc_functions: false,
            headers: Default::default(),
            integers: false,
            tells_signs: false,
            deadline: Default::default(),
        };
        let sample = Sample { subject: &subject, width, numbers };
        sample.check_arithmetic();
        sample.check_comparisons();
        sample.check_intrinsics();
        sample.check_conversions(to);
        sample.check_addresses(scale);
    }
}
