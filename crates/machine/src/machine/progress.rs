//! How far a step has come.

/// How far a step has come: its instructions, its visible action and its budget.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    /// Whether threads stop before visible actions.
    stops: bool,
    /// How many instructions the step has executed.
    executed: u64,
    /// How many more jumps back and calls the step may make.
    budget: u64,
    /// Whether the step has had its visible action.
    visible: bool,
    /// `visible` when the step began.
    visible_at_start: bool,
    /// Whether no other thread was alive when the step began.
    alone: bool,
    /// `visible` before the present instruction.
    visible_before: bool,
    /// The instruction of the step that forgot what its thread had accessed before.
    cleared: Option<u64>,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            stops: true,
            executed: 0,
            budget: 0,
            visible: false,
            visible_at_start: false,
            alone: false,
            visible_before: false,
            cleared: None,
        }
    }
}

impl Progress {
    /// From now on threads do not stop before visible actions.
    pub(crate) fn run_on(&mut self) {
        self.stops = false;
    }

    /// Returns whether threads stop before visible actions.
    #[inline]
    pub(crate) fn has_scheduling_points(&self) -> bool {
        self.stops
    }

    /// A step begins, at no instruction.
    pub(crate) fn begin_step(&mut self) {
        self.executed = 0;
        self.cleared = None;
    }

    /// A thread begins its step with this budget. `visible` says whether the next visible action
    /// would be the second one, and `alone` whether no other thread is alive.
    pub(crate) fn begin_thread(&mut self, visible: bool, alone: bool, budget: u64) {
        self.visible = visible;
        self.alone = alone;
        self.visible_at_start = visible;
        self.budget = budget;
    }

    /// A thread that the step started continues in it, up to its first visible action.
    pub(crate) fn begin_started_thread(&mut self, budget: u64) {
        self.visible = true;
        self.executed += 1;
        self.budget = budget;
    }

    /// The next instruction begins.
    #[inline]
    pub(crate) fn begin_instruction(&mut self) {
        self.visible_before = self.visible;
    }

    /// The present instruction is complete.
    #[inline]
    pub(crate) fn end_instruction(&mut self) {
        self.executed += 1;
    }

    /// The present instruction has had no visible action: it will be executed again.
    pub(crate) fn restart_instruction(&mut self) {
        self.visible = self.visible_before;
    }

    /// Continues from where the step was then.
    pub(crate) fn restore(&mut self, then: Progress) {
        *self = Progress {
            cleared: None,
            ..then
        };
    }

    /// Returns the number of the present instruction in the step.
    #[inline]
    pub(crate) fn instruction(&self) -> u64 {
        self.executed
    }

    /// Returns whether the present instruction is the first one of the step.
    #[inline]
    pub(crate) fn is_at_start(&self) -> bool {
        self.executed == 0
    }

    /// Returns whether the step could have made a visible action at its first instruction.
    pub(crate) fn may_act_at_start(&self) -> bool {
        !self.visible_at_start
    }

    /// Takes from the budget.
    #[inline]
    pub(crate) fn spend(&mut self, cost: u64) {
        self.budget = self.budget.saturating_sub(cost);
    }

    /// Returns whether the budget is exhausted.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// Returns whether the step has had its visible action: at its first instruction, or never,
    /// unless its thread was alone when it began. The thread has stopped before that instruction
    /// because it was visible. If it is not any more, what follows must not be one step with the
    /// next visible action: between the two, others may observe delayed stores and race with plain
    /// accesses.
    #[inline]
    pub(crate) fn has_acted(&self) -> bool {
        self.visible || self.executed > 0 && !self.alone
    }

    /// Returns whether the step's visible action is that of the present instruction.
    pub(crate) fn acts_now(&self) -> bool {
        self.visible && !self.visible_before
    }

    /// The step has its visible action now.
    #[inline]
    pub(crate) fn act(&mut self) {
        self.visible = true;
    }

    /// Returns whether the present instruction is the first to ask since it began: it clears what
    /// its thread has accessed before.
    #[inline]
    pub(crate) fn clears(&mut self) -> bool {
        self.cleared.replace(self.executed) != Some(self.executed)
    }

    /// The present instruction makes a further access, which is one action with those before.
    /// Returns what [`Progress::join`] takes.
    pub(crate) fn fork(&mut self) -> bool {
        std::mem::replace(&mut self.visible, self.visible_before)
    }

    /// The further access is made.
    pub(crate) fn join(&mut self, forked: bool) {
        self.visible |= forked;
    }
}
