//! Values of local variables for traces that are shown in full. The promoted ones live in slots of
//! a frame: instructions assign them, and calls do as they begin and end.

use super::Flow;
use crate::base::fault::Result;
use crate::machine::Machine;
use crate::machine::record::Action;
use crate::value::Value;
use impasse_program::instruction::{
    Assigned, Body, Instruction as I, Operand, Slot, Variable, VariablePlace,
};

impl<'s> Machine<'s> {
    /// Executes the next instruction where more is to be known of each than its effect.
    pub(super) fn instruction_watched(&mut self, instruction: &'s I) -> Result<Flow> {
        let flow = match self.time.is_unknown() {
            false if self.symbolic.terms().is_some() => {
                self.instruction_with_inputs(instruction)?
            }
            false => self.instruction(instruction)?,
            true => self.instruction_in_time(instruction)?,
        };
        if self.observer.detail().locals {
            match (instruction, &flow) {
                (I::Undefine { .. }, _) => {}
                (I::Call { .. }, Flow::Moved) => self.note_parameters(),
                (I::Return { .. }, Flow::Moved) => self.note_returned(),
                (_, Flow::Next) => self.note_assigned(instruction.definitions(self.body())),
                _ => {}
            }
        }
        Ok(flow)
    }

    fn body(&self) -> &'s Body {
        &self.at.function.body
    }

    /// A call has entered a function.
    fn note_parameters(&mut self) {
        if self.at.position == 0 {
            let parameters = &self.program.info(self.at.id).signature.parameters;
            let words = parameters.iter().map(|scalar| scalar.words()).sum();
            self.note_slots(Slot(0), words);
        }
    }

    /// A function has returned to the frame that is the innermost one now, after its call.
    fn note_returned(&mut self) {
        let Some(call) = self.at.position.checked_sub(1) else {
            return;
        };
        let instruction = &self.body().code[call as usize];
        if matches!(instruction, I::Call { .. }) {
            self.at.position = call;
            self.note_assigned(instruction.definitions(self.body()));
            self.at.position = call + 1;
        }
    }

    /// Notes the local variables that the present instruction has assigned: those that are held in
    /// slots just assigned, and those whose values are found elsewhere.
    #[cold]
    fn note_assigned(&mut self, assigned: Option<(Slot, u32)>) {
        if let Some((first, words)) = assigned {
            self.note_slots(first, words);
        }
        let after = |assigned: &&Assigned| assigned.after.0 == self.at.position;
        let kept: Vec<&'s Assigned> = self.body().assigned.iter().filter(after).collect();
        for assigned in kept {
            let value = Value::one(self.read(assigned.value));
            self.note_local(&assigned.variable, value);
        }
    }

    /// Notes the local variables that some slots hold.
    fn note_slots(&mut self, first: Slot, words: u32) {
        for variable in &self.body().variables {
            if let VariablePlace::Value { slot, scalar, .. } = variable.place
                && (first.0..first.0 + words).contains(&slot.0)
            {
                let value = self.read_scalar(Operand::slot(slot), scalar);
                self.note_local(variable, value);
            }
        }
    }

    /// Notes what value a local variable has, in the program's own code.
    fn note_local(&mut self, variable: &Variable, value: Value) {
        let VariablePlace::Value { scalar, offset, .. } = variable.place else {
            return;
        };
        if !value.is_defined() || !self.system.own[self.at.id.0 as usize] {
            return;
        }
        let unit = self.program.info(self.at.id).unit;
        let (offset, bytes) = (u64::from(offset), u64::from(scalar.bytes()));
        let path = variable
            .ty
            .and_then(|ty| self.program.path_in_type(unit, ty, offset, bytes));
        let action = Action::Assign {
            variable: format!("{}{}", variable.name, path.unwrap_or_default()),
            value: self.show(scalar, value),
        };
        self.note(action);
    }
}
