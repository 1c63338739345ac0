//! One function: its blocks in order, the moves on the edges between them, and its promoted
//! variables.

use super::builder::{Builder, Label};
use super::context::Context;
use super::llvm::{Block, Instruction as Source, Metadata, Opcode, Value};
use super::promote::{Local, Promotion};
use super::scopes::Scopes;
use super::types::Unsupported;
use crate::harness;
use crate::instruction::{Body, Instruction, Operand, Slot, Variable, VariableId, VariablePlace};
use crate::unit::Signature;
use rustc_hash::{FxHashMap, FxHashSet};

/// A function under translation.
pub(super) struct Translator<'t, 'm> {
    pub context: &'t mut Context<'m>,
    pub build: Builder,
    pub function: Value<'m>,
    pub promotion: Promotion<'m>,
    /// The first slot of each value.
    values: FxHashMap<Value<'m>, Slot>,
    /// Where each reachable block starts.
    blocks: FxHashMap<Block<'m>, Label>,
    /// Edges into blocks with phis that need moves.
    edges: Vec<Edge<'m>>,
    /// For landing pads in blocks with phis, the place after the landing pad.
    after_pad: FxHashMap<Block<'m>, Label>,
    /// What the source says about allocated objects.
    declared: FxHashMap<Value<'m>, Metadata<'m>>,
    scopes: Scopes<'m>,
}

/// An edge of the control flow that has code of its own.
struct Edge<'m> {
    label: Label,
    from: Block<'m>,
    to: Block<'m>,
    /// Whether an exception takes it.
    unwinding: bool,
}

/// The signature of a function, taken apart into scalars.
pub(super) fn signature<'m>(
    context: &mut Context<'m>,
    ty: super::llvm::Type<'m>,
) -> Result<Signature, Unsupported> {
    let mut signature = Signature {
        variadic: ty.is_variadic(),
        ..Signature::default()
    };
    for parameter in ty.parameters() {
        let layout = context.types.layout(parameter)?;
        signature.parameters.extend(layout.scalars());
    }
    let results = context.types.layout(ty.result())?;
    signature.results.extend(results.scalars());
    Ok(signature)
}

/// The signature and the body of a function that the module defines.
pub(super) fn translate<'m>(context: &mut Context<'m>, function: Value<'m>) -> (Signature, Body) {
    let mut translator = Translator {
        context,
        build: Builder::default(),
        function,
        promotion: Promotion::default(),
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        edges: Vec::new(),
        after_pad: FxHashMap::default(),
        declared: FxHashMap::default(),
        scopes: Scopes::default(),
    };
    match signature(translator.context, function.global_type()) {
        Ok(signature) => {
            translator.body();
            (signature, translator.build.finish())
        }
        Err(reason) => {
            translator.build.unsupported(reason);
            (Signature::default(), translator.build.finish())
        }
    }
}

impl<'m> Translator<'_, 'm> {
    fn body(&mut self) {
        for parameter in self.function.parameters() {
            self.slot_of(parameter);
        }
        self.prepare();
        for (number, block) in self.function.blocks().enumerate() {
            let Some(&label) = self.blocks.get(&block) else {
                continue;
            };
            self.build.bind(label);
            if number == 0 && self.is_atomic() {
                self.call_plain_runtime(harness::ATOMIC_BEGIN);
            }
            for instruction in block.instructions() {
                self.build.location = self.context.source.location(instruction.location());
                if let Err(reason) = self.instruction(instruction, block) {
                    self.build.unsupported(reason);
                }
            }
        }
        while let Some(edge) = self.edges.pop() {
            self.edge_code(edge);
        }
    }

    /// Returns whether the whole function is one step, as its name says.
    pub fn is_atomic(&self) -> bool {
        harness::is_atomic(&self.function.name())
    }

    /// Finds the reachable blocks, the variables of the source, and those to promote.
    fn prepare(&mut self) {
        let Some(entry) = self.function.blocks().next() else {
            return;
        };
        let mut reached = FxHashSet::from_iter([entry]);
        let mut stack = vec![entry];
        while let Some(block) = stack.pop() {
            let label = self.build.label();
            self.blocks.insert(block, label);
            let successors = block.terminator().into_iter().flat_map(Source::successors);
            stack.extend(successors.filter(|&successor| reached.insert(successor)));
        }
        let mut allocas = Vec::new();
        for block in self
            .function
            .blocks()
            .filter(|block| reached.contains(block))
        {
            for instruction in block.instructions() {
                match instruction.opcode() {
                    Opcode::LLVMAlloca => allocas.push(instruction),
                    Opcode::LLVMCall => self.note_declaration(instruction),
                    _ => {}
                }
            }
        }
        for alloca in allocas {
            let build = &mut self.build;
            let considered = self
                .promotion
                .consider(alloca, &mut self.context.types, |words| build.slots(words));
            if considered.is_ok()
                && let Some((local, 0)) = self.promotion.find(alloca.value())
            {
                self.name_local(alloca, &local);
            }
        }
    }

    /// Returns whether a variable is a new object when the beginning of its scope is reached again.
    pub fn renews(&mut self, variable: Value<'m>, begins: Source<'m>) -> bool {
        let entry = self.function.blocks().next();
        entry.is_some_and(|entry| self.scopes.renews(entry, variable, begins))
    }

    /// Remembers which variable of the source a `dbg.declare` gives for an object, and that the
    /// source has labels.
    fn note_declaration(&mut self, call: Source<'m>) {
        self.scopes.returns_twice |= call.returns_twice(self.context.module);
        match self.context.stem(call.callee()) {
            Some("dbg.declare") => self.scopes.has_variables = true,
            Some("dbg.label") => {
                self.scopes.has_labels = true;
                return;
            }
            _ => return,
        }
        let mut arguments = call.arguments();
        let object = arguments.next().and_then(Value::unwrapped);
        let variable = arguments.next().and_then(Value::as_metadata);
        let expression = arguments.next().and_then(Value::as_metadata);
        if let (Some(object), Some(variable), Some(expression)) = (object, variable, expression)
            && self.context.source.is_plain(expression)
        {
            self.declared.insert(object, variable);
        }
    }

    fn name_local(&mut self, alloca: Source<'m>, local: &Local) {
        let Some(&declared) = self.declared.get(&alloca.value()) else {
            return;
        };
        for part in local.iter() {
            let place = VariablePlace::Value {
                slot: part.slot,
                scalar: part.scalar,
                offset: part.offset as u32,
            };
            let variable = self.variable(declared, place);
            self.build.variable(variable);
        }
    }

    /// Returns the variable that is an object in memory, or `None` if the source names none.
    pub fn name_object(&mut self, alloca: Source<'m>, address: Slot) -> Option<VariableId> {
        let declared = *self.declared.get(&alloca.value())?;
        let variable = self.variable(declared, VariablePlace::Object(address));
        Some(self.build.variable(variable))
    }

    fn variable(&mut self, declared: Metadata<'m>, place: VariablePlace) -> Variable {
        let (name, ty, line) = self.context.source.variable(declared);
        Variable {
            name,
            ty,
            place,
            line,
        }
    }

    /// Returns the first slot of a value; reserves its slots when the value is first mentioned.
    pub fn slot_of(&mut self, value: Value<'m>) -> Slot {
        if let Some(&slot) = self.values.get(&value) {
            return slot;
        }
        let words = self.context.types.layout(value.ty()).map_or(0, |l| l.words);
        let slot = self.build.slots(words);
        self.values.insert(value, slot);
        slot
    }

    /// Returns the operands of a value, one for each scalar. Fails if it has no executable form.
    pub fn operands(&mut self, value: Value<'m>) -> Result<Vec<Operand>, Unsupported> {
        if value.is_constant() {
            return self.constant(value);
        }
        let layout = self.context.types.layout(value.ty())?;
        let first = self.slot_of(value);
        Ok(layout
            .parts
            .iter()
            .map(|part| Operand::slot(Slot(first.0 + part.word)))
            .collect())
    }

    /// Returns the operand of a value. Fails unless it is one scalar.
    pub fn operand(&mut self, value: Value<'m>) -> Result<Operand, Unsupported> {
        match self.operands(value)?[..] {
            [operand] => Ok(operand),
            _ => Err(Unsupported(format!("a value of type {} here", value.ty()))),
        }
    }

    fn has_phis(block: Block<'m>) -> bool {
        block
            .instructions()
            .next()
            .is_some_and(|first| first.opcode() == Opcode::LLVMPHI)
    }

    /// Returns the label to jump to in order to get from one block to another.
    pub fn edge(&mut self, from: Block<'m>, to: Block<'m>, unwinding: bool) -> Label {
        if !Self::has_phis(to) {
            return self.blocks[&to];
        }
        if let Some(edge) = self
            .edges
            .iter()
            .find(|edge| edge.from == from && edge.to == to && edge.unwinding == unwinding)
        {
            return edge.label;
        }
        let label = self.build.label();
        self.edges.push(Edge {
            label,
            from,
            to,
            unwinding,
        });
        label
    }

    /// Adds a jump from one block to another.
    pub fn jump(&mut self, from: Block<'m>, to: Block<'m>) {
        if let Err(reason) = self.phi_moves(from, to) {
            return self.build.unsupported(reason);
        }
        let target = self.blocks[&to];
        self.build.push(Instruction::Jump { target });
    }

    /// Notes where the loop stands in the source whose header is a block.
    pub fn note_loop(&mut self, header: Block<'m>, start: Metadata<'m>) {
        let start = self.context.source.location(Some(start));
        self.build.loop_start(self.blocks[&header], start);
    }

    /// Gives the phis of a block their values for an edge into it.
    fn phi_moves(&mut self, from: Block<'m>, to: Block<'m>) -> Result<(), Unsupported> {
        let mut copies = Vec::new();
        for phi in to
            .instructions()
            .take_while(|i| i.opcode() == Opcode::LLVMPHI)
        {
            let Some((value, _)) = phi.incoming().find(|(_, block)| *block == from) else {
                continue;
            };
            let layout = self.context.types.layout(phi.ty())?;
            let destination = self.slot_of(phi.value());
            for (part, source) in layout.parts.iter().zip(self.operands(value)?) {
                let first = Slot(destination.0 + part.word);
                copies.push((first, source));
                if part.scalar.words() == 2 {
                    copies.push((Slot(first.0 + 1), source.second()));
                }
            }
        }
        self.build.copy_parallel(copies);
        Ok(())
    }

    fn edge_code(&mut self, edge: Edge<'m>) {
        self.build.location = edge
            .from
            .terminator()
            .map_or_else(Default::default, |last| {
                self.context.source.location(last.location())
            });
        self.build.bind(edge.label);
        if !edge.unwinding {
            return self.jump(edge.from, edge.to);
        }
        if let Err(reason) = self.unwinding_edge(&edge) {
            self.build.unsupported(reason);
        }
    }

    /// An exception must arrive at a landing pad: a copy of the block's own comes first, then the
    /// moves.
    fn unwinding_edge(&mut self, edge: &Edge<'m>) -> Result<(), Unsupported> {
        let pad = edge
            .to
            .instructions()
            .find(|i| i.opcode() == Opcode::LLVMLandingPad)
            .ok_or_else(|| Unsupported("an exception that arrives at no landing pad".into()))?;
        let arrived = self.build.slots(2);
        self.landing_pad(pad, arrived)?;
        self.phi_moves(edge.from, edge.to)?;
        let kept = self.slot_of(pad.value());
        for word in 0..2 {
            self.build
                .copy(Slot(kept.0 + word), Operand::slot(Slot(arrived.0 + word)));
        }
        let target = self.after_pad(edge.to);
        self.build.push(Instruction::Jump { target });
        Ok(())
    }

    /// The place after the landing pad of a block.
    fn after_pad(&mut self, block: Block<'m>) -> Label {
        let build = &mut self.build;
        *self.after_pad.entry(block).or_insert_with(|| build.label())
    }

    /// Translates a landing pad at its place in the block.
    pub fn landing_pad_in_place(
        &mut self,
        pad: Source<'m>,
        block: Block<'m>,
    ) -> Result<(), Unsupported> {
        let destination = self.slot_of(pad.value());
        self.landing_pad(pad, destination)?;
        if Self::has_phis(block) {
            let label = self.after_pad(block);
            self.build.bind(label);
        }
        Ok(())
    }
}
