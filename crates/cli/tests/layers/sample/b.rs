pub struct B(Vec<crate::c::C>);
