//! Linear programs over rational numbers, solved exactly: the simplex method with integers.
//!
//! A row of the tableau is an equation with whole coefficients, up to a positive factor, so that no
//! fractions are needed. A number that leaves 128 bits ends the attempt.

use num_integer::Integer;
use num_rational::Ratio;

/// After so many pivots the rule that cannot cycle is used.
const GREEDY: usize = 200;
/// After so many, the attempt ends.
const PIVOTS: usize = 4000;

/// Equations over unknowns that are not negative: the coefficients that are not zero, and the sum.
pub(super) type Row = (Vec<(usize, i128)>, i128);

/// Returns values of the unknowns that satisfy all equations, if there are any and they are found.
/// With an objective, they make it as small as possible.
pub(super) fn solve(
    rows: &[Row],
    unknowns: usize,
    objective: Option<&[i128]>,
) -> Option<Vec<Ratio<i128>>> {
    let mut tableau = Tableau::new(rows, unknowns);
    tableau.make_feasible()?;
    if let Some(objective) = objective {
        tableau.minimise(objective)?;
    }
    Some(tableau.values())
}

struct Tableau {
    unknowns: usize,
    /// The equations, each with its sum at the end, which is not negative.
    rows: Vec<Vec<i128>>,
    /// The unknown that each equation gives a value, with its coefficient. Beyond the unknowns are
    /// artificial ones, of which there is one for each equation.
    basis: Vec<(usize, i128)>,
    /// What is to be made greater, over the other unknowns.
    goal: Vec<i128>,
    pivots: usize,
}

impl Tableau {
    fn new(equations: &[Row], unknowns: usize) -> Tableau {
        let mut rows = Vec::new();
        for (coefficients, sum) in equations {
            let sign = if *sum < 0 { -1 } else { 1 };
            let mut row = vec![0; unknowns + 1];
            for &(at, coefficient) in coefficients {
                row[at] += sign * coefficient;
            }
            row[unknowns] = sign * sum;
            rows.push(row);
        }
        let mut goal = vec![0; unknowns + 1];
        for row in &rows {
            goal.iter_mut().zip(row).for_each(|(all, one)| *all += one);
        }
        Tableau {
            unknowns,
            basis: (0..rows.len()).map(|row| (unknowns + row, 1)).collect(),
            rows,
            goal,
            pivots: 0,
        }
    }

    /// Makes all artificial unknowns zero.
    fn make_feasible(&mut self) -> Option<()> {
        // There is a bound: the sum of the artificial unknowns is not negative.
        self.improve()?;
        if self.goal[self.unknowns] != 0 {
            return None;
        }
        let mut row = 0;
        while row < self.rows.len() {
            if self.basis[row].0 < self.unknowns {
                row += 1;
                continue;
            }
            match (0..self.unknowns).find(|&at| self.rows[row][at] != 0) {
                None => {
                    self.rows.swap_remove(row);
                    self.basis.swap_remove(row);
                }
                Some(column) => {
                    if self.rows[row][column] < 0 {
                        self.rows[row].iter_mut().for_each(|one| *one = -*one);
                    }
                    self.pivot(row, column)?;
                    row += 1;
                }
            }
        }
        Some(())
    }

    /// Makes a sum as small as it can be; `None` if that has no bound.
    fn minimise(&mut self, objective: &[i128]) -> Option<()> {
        self.goal = objective.iter().map(|one| -one).chain([0]).collect();
        for row in 0..self.rows.len() {
            let (column, scale) = self.basis[row];
            eliminate(&mut self.goal, &self.rows[row], (column, scale))?;
        }
        self.improve()
    }

    fn improve(&mut self) -> Option<()> {
        loop {
            let mut open = (0..self.unknowns).filter(|&at| self.goal[at] > 0);
            let column = match self.pivots < GREEDY {
                true => open.max_by_key(|&at| (self.goal[at], std::cmp::Reverse(at))),
                false => open.next(),
            };
            let Some(column) = column else {
                return Some(());
            };
            let mut best: Option<usize> = None;
            for row in 0..self.rows.len() {
                if self.rows[row][column] <= 0 {
                    continue;
                }
                let is_better = match best {
                    None => true,
                    Some(best) => {
                        let ratio = |row: usize, by: usize| {
                            self.rows[row][self.unknowns].checked_mul(self.rows[by][column])
                        };
                        let (one, other) = (ratio(row, best)?, ratio(best, row)?);
                        (one, self.basis[row].0) < (other, self.basis[best].0)
                    }
                };
                if is_better {
                    best = Some(row);
                }
            }
            self.pivot(best?, column)?;
        }
    }

    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        self.pivots += 1;
        if self.pivots > PIVOTS {
            return None;
        }
        let chosen = std::mem::take(&mut self.rows[row]);
        let by = (column, chosen[column]);
        for (other, (_, scale)) in self.rows.iter_mut().zip(&mut self.basis) {
            if other.is_empty() || other[column] == 0 {
                continue;
            }
            let factor = eliminate(other, &chosen, by)?;
            *scale = scale.checked_mul(factor)?;
            let mut divisor = *scale;
            for one in other.iter() {
                if divisor == 1 {
                    break;
                }
                divisor = divisor.gcd(one);
            }
            if divisor > 1 {
                other.iter_mut().for_each(|one| *one /= divisor);
                *scale /= divisor;
            }
        }
        if self.goal[column] != 0 {
            eliminate(&mut self.goal, &chosen, by)?;
            let divisor = self.goal.iter().fold(0, |all: i128, one| all.gcd(one));
            if divisor > 1 {
                self.goal.iter_mut().for_each(|one| *one /= divisor);
            }
        }
        self.rows[row] = chosen;
        self.basis[row] = by;
        Some(())
    }

    fn values(&self) -> Vec<Ratio<i128>> {
        let mut values = vec![Ratio::from(0); self.unknowns];
        for (row, &(at, scale)) in self.rows.iter().zip(&self.basis) {
            if at < self.unknowns {
                values[at] = Ratio::new(row[self.unknowns], scale);
            }
        }
        values
    }
}

/// Makes the coefficient of a column zero by an equation in which it is positive. By what the row
/// was multiplied.
fn eliminate(row: &mut [i128], by: &[i128], (column, scale): (usize, i128)) -> Option<i128> {
    let here = row[column];
    if here == 0 {
        return Some(1);
    }
    let divisor = scale.gcd(&here);
    let (mine, other) = (scale / divisor, here / divisor);
    for (one, &by) in row.iter_mut().zip(by) {
        if *one != 0 || by != 0 {
            *one = one.checked_mul(mine)?.checked_sub(by.checked_mul(other)?)?;
        }
    }
    Some(mine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(values: &[i128]) -> Vec<Ratio<i128>> {
        values.iter().map(|&value| Ratio::from(value)).collect()
    }

    #[test]
    fn small_programs() {
        // x + y = 4, x - y = 2.
        let rows = [(vec![(0, 1), (1, 1)], 4), (vec![(0, 1), (1, -1)], 2)];
        assert_eq!(solve(&rows, 2, None), Some(whole(&[3, 1])));
        // x + y = -1.
        assert_eq!(solve(&[(vec![(0, 1), (1, 1)], -1)], 2, None), None);
        // The least x + 2y with x + y >= 3, x <= 2: one equation twice, too.
        let rows = [
            (vec![(0, 1), (1, 1), (2, -1)], 3),
            (vec![(0, 1), (3, 1)], 2),
            (vec![(0, 2), (3, 2)], 4),
        ];
        let found = solve(&rows, 4, Some(&[1, 2, 0, 0])).unwrap();
        assert_eq!(found, whole(&[2, 1, 0, 0]));
        // The least -x has no bound.
        assert_eq!(
            solve(&[(vec![(0, 1), (1, -1)], 0)], 2, Some(&[-1, 0])),
            None
        );
    }

    #[test]
    fn every_solution_satisfies_the_equations() {
        let mut state = 1u64;
        let mut next = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        };
        let mut solved = 0;
        for _ in 0..2000 {
            let unknowns = 1 + next(6) as usize;
            let rows: Vec<Row> = (0..1 + next(5))
                .map(|_| {
                    let coefficient = |at| (at, next(7) as i128 - 3);
                    let coefficients = (0..unknowns).map(coefficient).collect();
                    (coefficients, next(9) as i128 - 4)
                })
                .collect();
            let Some(found) = solve(&rows, unknowns, None) else {
                continue;
            };
            solved += 1;
            assert!(found.iter().all(|value| *value >= Ratio::from(0)));
            for (coefficients, sum) in &rows {
                let parts = coefficients.iter().map(|&(at, by)| found[at] * by);
                assert_eq!(parts.sum::<Ratio<i128>>(), Ratio::from(*sum));
            }
        }
        assert!(solved > 500, "{solved}");
    }
}
