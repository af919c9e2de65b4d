//! Late-move reductions (LMR): how much less deep a move is searched, by depth and by its place among the moves. They grow
//! with the product of both logarithms, in whole numbers, so that they are the same on every machine: the logarithm of a
//! floating-point library is not.

use crate::params::Params;

/// Depths and places that are told apart.
const MOST: usize = 64;

/// Bits after the point of a logarithm.
const POINT: u32 = 52;

/// Twice the inverse hyperbolic tangent of a fraction of at most a third, by its series.
const fn twice_atanh(numerator: u128, denominator: u128) -> u128 {
    let z = (numerator << POINT) / denominator;
    let (mut power, mut sum, mut odd) = (z, 0, 1);
    while power > 0 {
        sum += power / odd;
        power = (power * ((z * z) >> POINT)) >> POINT;
        odd += 2;
    }
    2 * sum
}

/// The natural logarithm of a number from 1: that of the power of two below it, and of what is left.
const fn ln(n: u128) -> u128 {
    let power = 1 << n.ilog2();
    n.ilog2() as u128 * twice_atanh(1, 3) + twice_atanh(n - power, n + power)
}

/// The logarithms of 1, 1, 2, 3, ...
const LOGARITHMS: [u128; MOST] = {
    let mut table = [0; MOST];
    let mut n = 1;
    while n < MOST {
        table[n] = ln(n as u128);
        n += 1;
    }
    table
};

/// In hundredths of a ply, by depth and place from 1.
pub(crate) fn reductions(params: &Params) -> Vec<[i32; MOST]> {
    let entry = |depth: usize, count: usize| {
        let product = LOGARITHMS[depth] * LOGARITHMS[count] * 10_000 / params.lmr_divisor as u128;
        params.lmr_base + (product >> (2 * POINT)) as i32
    };
    (0..MOST).map(|depth| std::array::from_fn(|count| entry(depth, count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_give_what_the_formula_does() {
        let row = Params::ALL.iter().find(|row| row.name == "lmr_divisor").expect("a row");
        assert!(row.min > 0);
        for lmr_divisor in row.min..=row.max {
            let params = Params { lmr_divisor, ..Params::default() };
            let table = reductions(&params);
            for (depth, count) in (0..MOST).flat_map(|depth| (0..MOST).map(move |count| (depth, count))) {
                let product = (depth.max(1) as f64).ln() * (count.max(1) as f64).ln();
                let expected = params.lmr_base + (product * 10_000.0 / f64::from(lmr_divisor)) as i32;
                assert_eq!(table[depth][count], expected, "{lmr_divisor} {depth} {count}");
            }
        }
    }
}
