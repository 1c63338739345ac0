//! Attractors in a finite graph: the states that satisfy AF in the sense of CTL.

/// Returns the attractor of `seeds`: the states from which every path reaches a seed (AF, in CTL).
/// It is the least set that contains the seeds and each state that has successors, all of them in
/// the set. Takes time linear in the number of edges.
pub fn attractor<'a>(
    count: usize,
    successors: impl Fn(usize) -> &'a [u32],
    seeds: impl Iterator<Item = usize>,
) -> Vec<bool> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut open_edges: Vec<usize> = Vec::with_capacity(count);
    for state in 0..count {
        let targets = successors(state);
        open_edges.push(targets.len());
        targets
            .iter()
            .for_each(|to| before[*to as usize].push(state as u32));
    }
    let mut attracted = vec![false; count];
    let mut work: Vec<usize> = seeds.collect();
    work.iter().for_each(|state| attracted[*state] = true);
    while let Some(state) = work.pop() {
        for from in before[state].iter().map(|from| *from as usize) {
            open_edges[from] -= 1;
            if open_edges[from] == 0 && !std::mem::replace(&mut attracted[from], true) {
                work.push(from);
            }
        }
    }
    attracted
}
