//! What cannot be avoided in a finite graph.

/// The states from which every way leads into `seeds`: the least set that holds them and every
/// state that has a way on, and only ways into the set.
pub fn inevitable<'a>(
    count: usize,
    successors: impl Fn(usize) -> &'a [u32],
    seeds: impl Iterator<Item = usize>,
) -> Vec<bool> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut ways: Vec<usize> = Vec::with_capacity(count);
    for state in 0..count {
        let targets = successors(state);
        ways.push(targets.len());
        targets
            .iter()
            .for_each(|to| before[*to as usize].push(state as u32));
    }
    let mut doomed = vec![false; count];
    let mut work: Vec<usize> = seeds.collect();
    work.iter().for_each(|state| doomed[*state] = true);
    while let Some(state) = work.pop() {
        for from in before[state].iter().map(|from| *from as usize) {
            ways[from] -= 1;
            if ways[from] == 0 && !std::mem::replace(&mut doomed[from], true) {
                work.push(from);
            }
        }
    }
    doomed
}
