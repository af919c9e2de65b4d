//! The network's arithmetic in three ways, AVX2, NEON and portable, that give the same numbers bit for bit. With
//! `memory.rs` the one place of the engine with unsafe code: loads and stores of whole vectors, and calls that need a
//! CPU's feature.

#![allow(unsafe_code)]

/// How many values a block holds.
pub(super) const LANES: usize = 16;

/// A vector of sixteen values, aligned as the widest load wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Block(pub(super) [i16; LANES]);

/// An activation is at most this much: 1.0 in fixed point. Its square times a weight of at most
/// [`MAX_OUTPUT_WEIGHT`] fits where it must, see [`Path::activate`].
pub(super) const ONE: i16 = 255;

/// The greatest size of an output weight: times [`ONE`] it still fits into 16 bits.
pub(super) const MAX_OUTPUT_WEIGHT: i16 = 127;

/// A way to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Path {
    /// The ways that this CPU can go, the best first.
    pub(super) fn available() -> Vec<Path> {
        let mut paths = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            paths.push(Path::Avx2);
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            paths.push(Path::Neon);
        }
        paths.push(Path::Portable);
        paths
    }

    /// Copies a row of blocks and adds and subtracts rows of a table. Sums wrap; [`super::Weights::check`] makes
    /// sure that they never need to.
    ///
    /// # Panics
    /// If the rows differ in length or a row is not in the table.
    #[inline]
    pub(super) fn update(
        self,
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        added: &[u16],
        removed: &[u16],
    ) {
        assert_eq!(source.len(), target.len(), "rows of the same length");
        match self {
            // SAFETY: this variant is only made where the CPU was found to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::update(source, target, table, added, removed) },
            // SAFETY: this variant is only made where the CPU was found to have NEON.
            #[cfg(target_arch = "aarch64")]
            Path::Neon => unsafe { neon::update(source, target, table, added, removed) },
            Path::Portable => portable::update(source, target, table, added, removed),
        }
    }

    /// The weighted sum of squared clipped values: each value is clipped to 0..=[`ONE`] and squared.
    ///
    /// No step overflows: value times weight is at most 255 * 127 and fits into 16 bits; times value and added in
    /// pairs it is at most 16,516,350 in 32 bits; of those each lane adds up one for each block, and
    /// [`super::MAX_WIDTH`] allows 64 blocks. So the order of the sums does not matter, and all ways agree.
    ///
    /// # Panics
    /// If the rows differ in length.
    #[inline]
    pub(super) fn activate(self, values: &[Block], weights: &[Block]) -> i64 {
        assert_eq!(values.len(), weights.len(), "rows of the same length");
        match self {
            // SAFETY: this variant is only made where the CPU was found to have AVX2.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::activate(values, weights) },
            // SAFETY: this variant is only made where the CPU was found to have NEON.
            #[cfg(target_arch = "aarch64")]
            Path::Neon => unsafe { neon::activate(values, weights) },
            Path::Portable => portable::activate(values, weights),
        }
    }
}

impl Path {
    /// [`Path::update`], and [`Path::activate`] of what comes out, in one go where that is faster.
    ///
    /// # Panics
    /// If the rows differ in length or a row is not in the table.
    #[inline]
    pub(super) fn step(
        self,
        (source, target): (&[Block], &mut [Block]),
        table: &[Block],
        (added, removed): (&[u16], &[u16]),
        weights: &[Block],
    ) -> i64 {
        assert!(source.len() == target.len() && source.len() == weights.len(), "rows of the same length");
        #[cfg(target_arch = "x86_64")]
        if self == Path::Avx2 {
            // SAFETY: this variant is only made where the CPU was found to have AVX2.
            return unsafe { avx2::step((source, target), table, (added, removed), weights) };
        }
        self.update(source, target, table, added, removed);
        self.activate(target, weights)
    }
}

mod portable {
    use super::{Block, LANES, ONE};

    pub(super) fn update(
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        added: &[u16],
        removed: &[u16],
    ) {
        let n = source.len();
        target.copy_from_slice(source);
        for &row in added {
            let row = &table[usize::from(row) * n..][..n];
            for (sums, terms) in target.iter_mut().zip(row) {
                (0..LANES).for_each(|i| sums.0[i] = sums.0[i].wrapping_add(terms.0[i]));
            }
        }
        for &row in removed {
            let row = &table[usize::from(row) * n..][..n];
            for (sums, terms) in target.iter_mut().zip(row) {
                (0..LANES).for_each(|i| sums.0[i] = sums.0[i].wrapping_sub(terms.0[i]));
            }
        }
    }

    pub(super) fn activate(values: &[Block], weights: &[Block]) -> i64 {
        let mut sums = [0; LANES];
        for (values, weights) in values.iter().zip(weights) {
            (0..LANES).for_each(|i| {
                let value = i32::from(values.0[i].clamp(0, ONE));
                sums[i] += value * value * i32::from(weights.0[i]);
            });
        }
        sums.into_iter().map(i64::from).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Block, ONE};

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(block: &Block) -> __m256i {
        // SAFETY: a block is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(block).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(block: &mut Block, vector: __m256i) {
        // SAFETY: a block is 32 bytes, aligned to 32, and this one is ours to write.
        unsafe { _mm256_store_si256(std::ptr::from_mut(block).cast(), vector) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn update(
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        added: &[u16],
        removed: &[u16],
    ) {
        let n = source.len();
        let mut at = 0;
        while at + 8 <= n {
            group::<8>(&source[at..], &mut target[at..], &table[at..], n, added, removed);
            at += 8;
        }
        while at < n {
            group::<1>(&source[at..], &mut target[at..], &table[at..], n, added, removed);
            at += 1;
        }
    }

    /// So many blocks stay in registers while all rows are added.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn group<const N: usize>(
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        stride: usize,
        added: &[u16],
        removed: &[u16],
    ) {
        let mut sums = [_mm256_setzero_si256(); N];
        let source = &source[..N];
        for i in 0..N {
            sums[i] = load(&source[i]);
        }
        for &row in added {
            let row = &table[usize::from(row) * stride..][..N];
            for i in 0..N {
                sums[i] = _mm256_add_epi16(sums[i], load(&row[i]));
            }
        }
        for &row in removed {
            let row = &table[usize::from(row) * stride..][..N];
            for i in 0..N {
                sums[i] = _mm256_sub_epi16(sums[i], load(&row[i]));
            }
        }
        let target = &mut target[..N];
        for i in 0..N {
            store(&mut target[i], sums[i]);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn step(
        (source, target): (&[Block], &mut [Block]),
        table: &[Block],
        (added, removed): (&[u16], &[u16]),
        weights: &[Block],
    ) -> i64 {
        let rows = (source, &mut *target);
        // With the number of rows known there is no loop over them, whose end the CPU would guess wrong. Most moves put
        // one or two marbles elsewhere, or push one off.
        match (added, removed) {
            (&[a], &[r]) => fused(rows, table, [a], [r], weights),
            (&[a], &[r, s]) => fused(rows, table, [a], [r, s], weights),
            (&[a, b], &[r, s]) => fused(rows, table, [a, b], [r, s], weights),
            (&[a, b], &[r, s, t]) => fused(rows, table, [a, b], [r, s, t], weights),
            (&[a, b, c], &[r, s, t]) => fused(rows, table, [a, b, c], [r, s, t], weights),
            _ => {
                update(source, target, table, added, removed);
                activate(target, weights)
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn fused<const A: usize, const R: usize>(
        (source, target): (&[Block], &mut [Block]),
        table: &[Block],
        added: [u16; A],
        removed: [u16; R],
        weights: &[Block],
    ) -> i64 {
        let n = source.len();
        let row = |row: u16| &table[usize::from(row) * n..][..n];
        let (added, removed) = (added.map(row), removed.map(row));
        let (target, weights) = (&mut target[..n], &weights[..n]);
        let mut sums = [_mm256_setzero_si256(); 2];
        for i in 0..n {
            let mut sum = load(&source[i]);
            for row in added {
                sum = _mm256_add_epi16(sum, load(&row[i]));
            }
            for row in removed {
                sum = _mm256_sub_epi16(sum, load(&row[i]));
            }
            store(&mut target[i], sum);
            sums[i % 2] = _mm256_add_epi32(sums[i % 2], weighted(sum, &weights[i]));
        }
        total(sums)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn activate(values: &[Block], weights: &[Block]) -> i64 {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (i, (values, weights)) in values.iter().zip(weights).enumerate() {
            sums[i % 2] = _mm256_add_epi32(sums[i % 2], weighted(load(values), weights));
        }
        total(sums)
    }

    /// The squares of sixteen clipped values times their weights, added in pairs.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn weighted(values: __m256i, weights: &Block) -> __m256i {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE));
        let value = _mm256_min_epi16(_mm256_max_epi16(values, zero), one);
        _mm256_madd_epi16(_mm256_mullo_epi16(value, load(weights)), value)
    }

    /// The sum of all lanes, in 64 bits before they are added across.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn total(sums: [__m256i; 2]) -> i64 {
        let [low, high] = sums.map(|sum| {
            let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum));
            let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(sum));
            _mm256_add_epi64(low, high)
        });
        let sum = _mm256_add_epi64(low, high);
        let sum = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        _mm_cvtsi128_si64(sum) + _mm_extract_epi64::<1>(sum)
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;

    use super::{Block, ONE};

    #[inline]
    #[target_feature(enable = "neon")]
    fn load(block: &Block) -> [int16x8_t; 2] {
        let (low, high) = block.0.split_at(8);
        // SAFETY: each half holds eight values.
        unsafe { [vld1q_s16(low.as_ptr()), vld1q_s16(high.as_ptr())] }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn store(block: &mut Block, vectors: [int16x8_t; 2]) {
        let (low, high) = block.0.split_at_mut(8);
        // SAFETY: each half has room for eight values.
        unsafe {
            vst1q_s16(low.as_mut_ptr(), vectors[0]);
            vst1q_s16(high.as_mut_ptr(), vectors[1]);
        }
    }

    #[target_feature(enable = "neon")]
    pub(super) fn update(
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        added: &[u16],
        removed: &[u16],
    ) {
        let n = source.len();
        let mut at = 0;
        while at + 4 <= n {
            group::<4>(&source[at..], &mut target[at..], &table[at..], n, added, removed);
            at += 4;
        }
        while at < n {
            group::<1>(&source[at..], &mut target[at..], &table[at..], n, added, removed);
            at += 1;
        }
    }

    /// So many blocks stay in registers while all rows are added.
    #[inline]
    #[target_feature(enable = "neon")]
    fn group<const N: usize>(
        source: &[Block],
        target: &mut [Block],
        table: &[Block],
        stride: usize,
        added: &[u16],
        removed: &[u16],
    ) {
        let mut sums = [[vdupq_n_s16(0); 2]; N];
        for i in 0..N {
            sums[i] = load(&source[i]);
        }
        for &row in added {
            let row = &table[usize::from(row) * stride..][..N];
            for i in 0..N {
                let [low, high] = load(&row[i]);
                sums[i] = [vaddq_s16(sums[i][0], low), vaddq_s16(sums[i][1], high)];
            }
        }
        for &row in removed {
            let row = &table[usize::from(row) * stride..][..N];
            for i in 0..N {
                let [low, high] = load(&row[i]);
                sums[i] = [vsubq_s16(sums[i][0], low), vsubq_s16(sums[i][1], high)];
            }
        }
        for i in 0..N {
            store(&mut target[i], sums[i]);
        }
    }

    #[target_feature(enable = "neon")]
    pub(super) fn activate(values: &[Block], weights: &[Block]) -> i64 {
        let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(ONE));
        let mut sums = [vdupq_n_s32(0); 2];
        for (values, weights) in values.iter().zip(weights) {
            let (values, weights) = (load(values), load(weights));
            for half in 0..2 {
                let value = vminq_s16(vmaxq_s16(values[half], zero), one);
                let product = vmulq_s16(value, weights[half]);
                sums[half] = vmlal_s16(sums[half], vget_low_s16(product), vget_low_s16(value));
                sums[half] = vmlal_high_s16(sums[half], product, value);
            }
        }
        vaddlvq_s32(sums[0]) + vaddlvq_s32(sums[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZERO: Block = Block([0; LANES]);

    /// Numbers that look random; the same every time.
    fn numbers(seed: u64) -> impl FnMut(i16, i16) -> i16 {
        let mut state = seed;
        move |low, high| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let range = i64::from(high) - i64::from(low) + 1;
            (i64::from(low) + ((state >> 33) as i64) % range) as i16
        }
    }

    fn blocks(count: usize, low: i16, high: i16, draw: &mut impl FnMut(i16, i16) -> i16) -> Vec<Block> {
        (0..count).map(|_| Block(std::array::from_fn(|_| draw(low, high)))).collect()
    }

    #[test]
    fn all_paths_add_the_same_rows_to_the_same_sums() {
        let mut draw = numbers(1);
        for n in [1, 3, 4, 8, 13, 32] {
            let (table, source) = (blocks(9 * n, -800, 800, &mut draw), blocks(n, -9000, 9000, &mut draw));
            let mut expected = vec![ZERO; n];
            Path::Portable.update(&source, &mut expected, &table, &[0, 4, 7], &[8, 2]);
            for path in Path::available() {
                let mut target = vec![ZERO; n];
                path.update(&source, &mut target, &table, &[0, 4, 7], &[8, 2]);
                assert_eq!(target, expected, "{path:?}, {n} blocks");
            }
        }
    }

    #[test]
    fn all_paths_activate_alike_also_at_the_limits() {
        let mut draw = numbers(2);
        for n in [1, 4, 8, 64] {
            let random = (blocks(n, -400, 700, &mut draw), blocks(n, -127, 127, &mut draw));
            let greatest = (vec![Block([i16::MAX; LANES]); n], vec![Block([127; LANES]); n]);
            let least = (vec![Block([i16::MAX; LANES]); n], vec![Block([-127; LANES]); n]);
            let negative = (vec![Block([i16::MIN; LANES]); n], vec![Block([127; LANES]); n]);
            for (values, weights) in [random, greatest, least, negative] {
                let exact: i64 = (values.iter().zip(&weights))
                    .flat_map(|(v, w)| v.0.into_iter().zip(w.0))
                    .map(|(v, w)| i64::from(v.clamp(0, ONE)).pow(2) * i64::from(w))
                    .sum();
                for path in Path::available() {
                    assert_eq!(path.activate(&values, &weights), exact, "{path:?}, {n} blocks");
                }
            }
        }
    }

    #[test]
    fn all_paths_add_and_activate_alike_in_one_go_whatever_the_number_of_rows() {
        let mut draw = numbers(3);
        for n in [1, 4, 13, 32] {
            let (table, source) = (blocks(9 * n, -200, 200, &mut draw), blocks(n, -900, 900, &mut draw));
            let weights = blocks(n, -127, 127, &mut draw);
            for (added, removed) in (0..4).flat_map(|a| (0..5).map(move |r| (a, r))) {
                let (added, removed) = (&[0, 4, 7][..added], &[8, 2, 1, 5][..removed]);
                let mut expected = vec![ZERO; n];
                Path::Portable.update(&source, &mut expected, &table, added, removed);
                let sum = Path::Portable.activate(&expected, &weights);
                for path in Path::available() {
                    let mut target = vec![ZERO; n];
                    let found = path.step((&source, &mut target), &table, (added, removed), &weights);
                    assert_eq!((found, target), (sum, expected.clone()), "{path:?}, {added:?}, {removed:?}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn a_row_beyond_the_table_is_refused() {
        let table = vec![ZERO; 4];
        Path::available()[0].update(&table[..2], &mut [ZERO; 2], &table, &[2], &[]);
    }
}
