use super::b::{B as Other, function};

#[cfg(test)]
mod tests {
    use crate::d::D;
}
