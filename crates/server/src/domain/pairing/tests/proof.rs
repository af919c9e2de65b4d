//! Whether a graph has a complete matching, found out without the matching algorithm: Tutte's matrix with random entries has full rank
//! in a large field if and (but for one case in 10^16) only if there is one (Tutte 1947, Lovász 1979); and by trying everything.

use crate::domain::pairing::lot::Lot;

const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// By the rank of Tutte's matrix. "Yes" is a proof; "no" is wrong once in 10^16.
pub(super) fn has_complete_matching(vertices: usize, edge: impl Fn(usize, usize) -> bool, seed: u64) -> bool {
    if !vertices.is_multiple_of(2) {
        return false;
    }
    let mut lot = Lot::new(seed);
    let mut rows = vec![vec![0; vertices]; vertices];
    for a in 0..vertices {
        for b in a + 1..vertices {
            if edge(a, b) {
                let entry = 1 + lot.below(PRIME - 1);
                rows[a][b] = entry;
                rows[b][a] = PRIME - entry;
            }
        }
    }
    for column in 0..vertices {
        let Some(pivot) = (column..vertices).find(|row| rows[*row][column] != 0) else { return false };
        rows.swap(column, pivot);
        let inverse = power(rows[column][column], PRIME - 2);
        let (above, below) = rows.split_at_mut(column + 1);
        for row in below.iter_mut().filter(|row| row[column] != 0) {
            let factor = PRIME - times(row[column], inverse);
            for (mine, its) in row.iter_mut().zip(&above[column]).skip(column) {
                *mine = (*mine + times(factor, *its)) % PRIME;
            }
        }
    }
    true
}

/// The cheapest complete matching, by trying every one: sums of costs that are compared like words.
pub(super) fn cheapest<const K: usize>(
    vertices: usize,
    cost: impl Fn(usize, usize) -> [i64; K],
) -> Option<[i64; K]> {
    let mut best: Vec<Option<[i64; K]>> = vec![None; 1 << vertices];
    best[0] = Some([0; K]);
    for done in 0..(1_usize << vertices) - 1 {
        let Some(so_far) = best[done] else { continue };
        let a = (!done).trailing_zeros() as usize;
        for b in (a + 1..vertices).filter(|b| done & 1 << b == 0) {
            let more = cost(a, b);
            let sum: [i64; K] = std::array::from_fn(|k| so_far[k] + more[k]);
            let slot = &mut best[done | 1 << a | 1 << b];
            if slot.is_none_or(|known| sum < known) {
                *slot = Some(sum);
            }
        }
    }
    best[(1 << vertices) - 1]
}

#[test]
fn tuttes_matrix_knows_what_trying_knows() {
    let mut lot = Lot::new(5);
    for seed in 0..500 {
        let vertices = 2 * (1 + lot.below(5) as usize);
        let density = lot.below(80);
        let edges: Vec<Vec<bool>> =
            (0..vertices).map(|_| (0..vertices).map(|_| lot.below(100) < density).collect()).collect();
        let missing = cheapest(vertices, |a, b| [i64::from(!edges[a][b])]).map(|cost| cost[0]);
        assert_eq!(has_complete_matching(vertices, |a, b| edges[a][b], seed), missing == Some(0));
    }
}
