use crate::{Outcome, Search, TransitionSystem};
pub(crate) fn search<S: TransitionSystem + ?Sized>(_search: &Search<'_, S>) -> Outcome<S> {
    todo!()
}
