//! The sets agree with the definition, followed path by path, on random bodies.

use super::*;
use crate::instruction::{
    Argument, BinaryOperation, CallSite, CallSiteId, Callee, Instruction as I, LandingPadId,
    Operand, PoisonFlags, Range, Scalar,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;

const SLOTS: u32 = 7;

/// Whether a path from `from` reaches a use of `slot` before a definition, by search. A call
/// assigns its results on normal return only, so that an exception bypasses the definition.
fn reaches_use(body: &Body, from: u32, slot: u32) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if !seen.insert(at) {
            continue;
        }
        let instruction = &body.code[at as usize];
        let mut used = false;
        instruction.for_each_use(body, |s| used |= s.0 == slot);
        if used {
            return true;
        }
        let mut defined = false;
        instruction.for_each_definition(body, |s| defined |= s.0 == slot);
        if defined {
            stack.extend(landing(body, instruction));
        } else {
            instruction.for_each_successor(body, Position(at), |next| stack.push(next.0));
        }
    }
    false
}

/// Whether what a slot holds at a position may come to be used for something else than computing,
/// by search.
fn reaches_end_use(body: &Body, from: u32, slot: u32) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![(from, slot)];
    while let Some((at, slot)) = stack.pop() {
        if !seen.insert((at, slot)) {
            continue;
        }
        let instruction = &body.code[at as usize];
        let (mut used, mut defined) = (false, false);
        instruction.for_each_use(body, |s| used |= s.0 == slot);
        instruction.for_each_definition(body, |s| {
            defined |= s.0 == slot;
            if used {
                stack.push((at + 1, s.0));
            }
        });
        if used
            && !matches!(
                instruction,
                I::Move { .. }
                    | I::Binary {
                        scalar: Scalar::Integer(_),
                        ..
                    }
            )
        {
            return true;
        }
        if defined {
            stack.extend(landing(body, instruction).map(|next| (next, slot)));
        } else {
            let mut into = |next: Position| stack.push((next.0, slot));
            instruction.for_each_successor(body, Position(at), &mut into);
        }
    }
    false
}

fn landing(body: &Body, instruction: &Instruction) -> Option<u32> {
    match instruction {
        I::Call { site } => body.sites[site.0 as usize].landing.map(|p| p.0),
        _ => None,
    }
}

/// One random instruction, before positions are reduced to the length of the body.
#[derive(Clone, Debug)]
enum Shape {
    Move(u32, u32),
    Wide(u32, u32, u32),
    Add(u32, u32, u32),
    Constant(u32),
    Call(u32, u32, Option<u32>),
    Pad(u32),
    Jump(u32),
    Branch(u32, u32, u32),
    Switch(u32, [u32; 3]),
    Indirect(u32, [u32; 2]),
    Return(u32),
    Unreachable,
}

fn shape() -> impl Strategy<Value = Shape> {
    let one = 0..SLOTS;
    let two = 0..SLOTS - 1;
    let position = 0..1000u32;
    prop_oneof![
        4 => (one.clone(), one.clone()).prop_map(|(a, b)| Shape::Move(a, b)),
        3 => (two.clone(), two.clone(), two.clone()).prop_map(|(a, b, c)| Shape::Wide(a, b, c)),
        4 => (one.clone(), one.clone(), one.clone()).prop_map(|(a, b, c)| Shape::Add(a, b, c)),
        2 => one.clone().prop_map(Shape::Constant),
        3 => (two.clone(), one.clone(), proptest::option::of(position.clone()))
            .prop_map(|(a, b, c)| Shape::Call(a, b, c)),
        1 => two.clone().prop_map(Shape::Pad),
        1 => position.clone().prop_map(Shape::Jump),
        3 => (one.clone(), position.clone(), position.clone())
            .prop_map(|(a, b, c)| Shape::Branch(a, b, c)),
        1 => (one.clone(), [position.clone(), position.clone(), position.clone()])
            .prop_map(|(a, b)| Shape::Switch(a, b)),
        1 => (one.clone(), [position.clone(), position.clone()])
            .prop_map(|(a, b)| Shape::Indirect(a, b)),
        1 => one.prop_map(Shape::Return),
        1 => Just(Shape::Unreachable),
    ]
}

fn instruction(body: &mut Body, shape: &Shape, length: u32) -> Instruction {
    let slot = |n: u32| Operand::slot(Slot(n));
    let to = |n: u32| Position(n % length);
    match *shape {
        Shape::Move(destination, source) => I::Move {
            destination: Slot(destination),
            source: slot(source),
        },
        Shape::Wide(destination, left, right) => I::Binary {
            operation: BinaryOperation::Add,
            scalar: Scalar::Wide(128),
            poison_flags: PoisonFlags::default(),
            destination: Slot(destination),
            left: slot(left),
            right: slot(right),
        },
        Shape::Add(destination, left, right) => I::Binary {
            operation: BinaryOperation::Add,
            scalar: Scalar::Integer(32),
            poison_flags: PoisonFlags::default(),
            destination: Slot(destination),
            left: slot(left),
            right: slot(right),
        },
        Shape::Constant(destination) => I::Move {
            destination: Slot(destination),
            source: Operand::constant(0),
        },
        Shape::Call(destination, argument, landing) => {
            body.sites.push(CallSite {
                callee: Callee::Address(Operand::constant(0)),
                arguments: vec![Argument {
                    value: slot(argument),
                    scalar: Scalar::Pointer,
                    by_value: None,
                }],
                fixed: 1,
                destination: Slot(destination),
                results: vec![Scalar::Wide(128)],
                landing: landing.map(to),
                no_unwind: landing.is_none(),
                returns_twice: false,
            });
            let site = CallSiteId(body.sites.len() as u32 - 1);
            I::Call { site }
        }
        Shape::Pad(destination) => I::LandingPad {
            destination: Slot(destination),
            clauses: LandingPadId(0),
        },
        Shape::Jump(target) => I::Jump { target: to(target) },
        Shape::Branch(condition, then, otherwise) => I::Branch {
            condition: slot(condition),
            then: to(then),
            otherwise: to(otherwise),
        },
        Shape::Switch(value, [a, b, default]) => {
            let start = body.cases.len() as u32;
            body.cases.extend([(0, to(a)), (1, to(b))]);
            I::Switch {
                scalar: Scalar::Integer(32),
                value: slot(value),
                cases: Range { start, count: 2 },
                default: to(default),
            }
        }
        Shape::Indirect(target, [a, b]) => {
            let start = body.cases.len() as u32;
            body.cases.extend([(1, to(a)), (2, to(b))]);
            I::IndirectJump {
                target: slot(target),
                cases: Range { start, count: 2 },
            }
        }
        Shape::Return(value) => {
            let start = body.operands.len() as u32;
            body.operands.push(slot(value));
            I::Return {
                values: Range { start, count: 1 },
            }
        }
        Shape::Unreachable => I::Unreachable,
    }
}

fn body() -> impl Strategy<Value = Body> {
    vec(shape(), 1..30).prop_map(|shapes| {
        let length = shapes.len() as u32 + 1;
        let mut body = Body {
            slots: SLOTS,
            ..Body::default()
        };
        let code = shapes
            .iter()
            .map(|shape| instruction(&mut body, shape, length))
            .collect();
        body.code = code;
        body.code.push(I::Unreachable);
        body
    })
}

fn set(body: &Body, index: u32) -> Vec<u32> {
    body.live_sets[index as usize].iter().map(|s| s.0).collect()
}

proptest! {
    #[test]
    fn agrees_with_the_definition(mut body in body()) {
        fill(&mut body, SLOTS);
        prop_assert_eq!(body.live.len(), body.code.len());
        for at in 0..body.code.len() as u32 {
            let expected: Vec<u32> = (0..SLOTS).filter(|&s| reaches_use(&body, at, s)).collect();
            prop_assert_eq!(set(&body, body.live[at as usize]), expected, "before {}", at);
        }
        for at in 0..body.code.len() {
            let I::Call { site } = body.code[at] else { continue };
            let site_info = &body.sites[site.0 as usize];
            let results = site_info.destination.0..site_info.destination.0 + 2;
            let expected: Vec<u32> = (0..SLOTS)
                .filter(|&s| {
                    (!results.contains(&s) && reaches_use(&body, at as u32 + 1, s))
                        || site_info.landing.is_some_and(|p| reaches_use(&body, p.0, s))
                })
                .collect();
            prop_assert_eq!(set(&body, body.live_across[site.0 as usize]), expected);
        }
        let distinct: HashSet<_> = body.live_sets.iter().collect();
        prop_assert_eq!(distinct.len(), body.live_sets.len());
    }
}

proptest! {
    #[test]
    fn what_is_needed_agrees_with_the_definition(mut body in body()) {
        fill(&mut body, SLOTS);
        fill_needed(&mut body);
        for at in 0..body.code.len() as u32 {
            let needed: Vec<u32> = body.needed_before(at).iter().map(|s| s.0).collect();
            let is_needed = |&s: &u32| reaches_end_use(&body, at, s);
            prop_assert_eq!(needed, (0..SLOTS).filter(is_needed).collect::<Vec<_>>(), "before {}", at);
        }
        for at in 0..body.code.len() {
            let I::Call { site } = body.code[at] else { continue };
            let destination = body.sites[site.0 as usize].destination.0;
            let landing = body.sites[site.0 as usize].landing;
            let is_needed = |&s: &u32| {
                !(destination..destination + 2).contains(&s) && reaches_end_use(&body, at as u32 + 1, s)
                    || landing.is_some_and(|p| reaches_end_use(&body, p.0, s))
            };
            let needed: Vec<u32> = body.needed_across(site).iter().map(|s| s.0).collect();
            prop_assert_eq!(needed, (0..SLOTS).filter(is_needed).collect::<Vec<_>>());
        }
    }
}

#[test]
fn an_empty_body_has_no_sets_to_name() {
    let mut body = Body::default();
    fill(&mut body, 0);
    assert!(body.live.is_empty());
}
