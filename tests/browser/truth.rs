//! Why marbles cannot move, told a second time and in another way than the page does: each direction is read as a word of
//! `o` (ours), `x` (theirs), `.` (free), and the word says what stops a line.

use std::collections::BTreeSet;

/// Row and number of a cell, from 1 to 9.
pub(crate) type Cell = (i32, i32);

const WAYS: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

pub(crate) fn read(name: &str) -> Cell {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a') + 1, i32::from(bytes[1] - b'0'))
}

pub(crate) fn name((row, number): Cell) -> String {
    format!("{}{number}", char::from(b'a' + u8::try_from(row - 1).unwrap()))
}

pub(crate) fn cells() -> Vec<Cell> {
    let all = (1..=9_i32).flat_map(|row| (1..=9_i32).map(move |number| (row, number)));
    all.filter(|(row, number)| (row - number).abs() <= 4).collect()
}

/// A board as the side to move sees it.
pub(crate) struct Truth {
    pub(crate) ours: BTreeSet<Cell>,
    pub(crate) theirs: BTreeSet<Cell>,
}

impl Truth {
    fn sign(&self, cell: Cell) -> char {
        match cell {
            _ if self.ours.contains(&cell) => 'o',
            _ if self.theirs.contains(&cell) => 'x',
            _ => '.',
        }
    }

    /// All cells from here on in a direction, this one left out.
    fn ray(from: Cell, way: Cell) -> Vec<Cell> {
        let on = (1..9).map(|i| (from.0 + i * way.0, from.1 + i * way.1));
        on.take_while(|cell| cells().contains(cell)).collect()
    }

    fn word(&self, from: Cell, way: Cell) -> String {
        Truth::ray(from, way).into_iter().map(|cell| self.sign(cell)).collect()
    }

    /// What stops so many marbles in line before such a word; nothing if they may go.
    fn stop(count: usize, word: &str) -> Option<String> {
        let foes = word.chars().take_while(|&sign| sign == 'x').count();
        match word.chars().nth(foes) {
            _ if word.is_empty() => Some("edge".to_string()),
            Some('o') if foes == 0 => Some(if count == 3 { "three" } else { "own" }.to_string()),
            _ if foes >= count => Some(format!("outnumbered {count} {foes}")),
            Some('o') => Some("blocked".to_string()),
            _ => None,
        }
    }

    fn is_axis(chosen: &[Cell], way: Cell) -> bool {
        match chosen {
            [a, b, ..] => {
                let d = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
                d == way || d == (-way.0, -way.1)
            }
            _ => true,
        }
    }

    fn front(chosen: &[Cell], way: Cell) -> Cell {
        *chosen.iter().max_by_key(|(row, number)| row * way.0 + number * way.1).unwrap()
    }

    fn towards(&self, chosen: &[Cell], way: Cell) -> Option<String> {
        if Truth::is_axis(chosen, way) {
            return Truth::stop(chosen.len(), &self.word(Truth::front(chosen, way), way));
        }
        let free = chosen.iter().all(|&cell| self.word(cell, way).starts_with('.'));
        (!free).then(|| "narrow".to_string())
    }

    /// Why these cannot move at all; nothing if they can.
    pub(crate) fn still(&self, chosen: &[Cell]) -> Option<String> {
        let mut stops: Vec<String> = Vec::new();
        for way in WAYS {
            stops.push(self.towards(chosen, way)?);
        }
        let around: String =
            WAYS.iter().filter_map(|&way| self.word(chosen[0], way).chars().next()).collect();
        if chosen.len() == 1 && around.contains('o') && around.contains('x') {
            return Some("taken".to_string());
        }
        stops.sort();
        let order = ["blocked", "outnumbered", "three", "own"];
        let found = order.iter().find_map(|kind| stops.iter().find(|stop| stop.starts_with(kind)));
        Some(found.map_or("taken", |stop| stop).to_string())
    }

    /// Why these do not get to a cell; nothing if one move does, `which` if several do.
    pub(crate) fn there(&self, chosen: &[Cell], target: Cell) -> Option<String> {
        for way in WAYS.into_iter().filter(|&way| Truth::is_axis(chosen, way)) {
            let front = Truth::front(chosen, way);
            let word = self.word(front, way);
            let more = word.chars().take_while(|&sign| sign == 'o').count();
            let rest = &word[more..];
            let foes = rest.chars().take_while(|&sign| sign == 'x').count();
            let place = Truth::ray(front, way).iter().position(|&cell| cell == target);
            if place.is_none_or(|place| place < more || place >= more + foes.max(1)) {
                continue;
            }
            let count = chosen.len() + more;
            return if count > 3 { Some("three".to_string()) } else { Truth::stop(count, rest) };
        }
        let beside: Vec<Cell> = WAYS
            .into_iter()
            .filter(|&way| !Truth::is_axis(chosen, way))
            .filter(|way| chosen.iter().any(|cell| (cell.0 + way.0, cell.1 + way.1) == target))
            .collect();
        match beside.iter().filter(|&&way| self.towards(chosen, way).is_none()).count() {
            _ if beside.is_empty() => Some("far".to_string()),
            _ if self.theirs.contains(&target) => Some("sideways".to_string()),
            0 => Some("narrow".to_string()),
            1 => None,
            _ => Some("which".to_string()),
        }
    }

    /// Why one more marble does not join these; nothing if all of them make a line of three or fewer.
    pub(crate) fn joined(&self, chosen: &[Cell], cell: Cell) -> Option<String> {
        let mut all = chosen.to_vec();
        all.push(cell);
        all.sort_unstable();
        let (first, last) = (all[0], all[all.len() - 1]);
        let way = ((last.0 - first.0).signum(), (last.1 - first.1).signum());
        let span: Vec<Cell> =
            std::iter::once(first).chain(Truth::ray(first, way)).take_while(|&at| at <= last).collect();
        match () {
            () if !WAYS.contains(&way) || !all.iter().all(|at| span.contains(at)) => Some("line".to_string()),
            () if !span.iter().all(|at| self.ours.contains(at)) => Some("gap".to_string()),
            () if span.len() > 3 => Some("three".to_string()),
            () => None,
        }
    }

    /// Every line of one to three of our marbles.
    pub(crate) fn choices(&self) -> Vec<Vec<Cell>> {
        let mut found: BTreeSet<Vec<Cell>> = self.ours.iter().map(|&cell| vec![cell]).collect();
        for &cell in &self.ours {
            for way in WAYS {
                let more = self.word(cell, way).chars().take_while(|&sign| sign == 'o').count().min(2);
                for count in 1..=more {
                    let mut line: Vec<Cell> = vec![cell];
                    line.extend(Truth::ray(cell, way).into_iter().take(count));
                    line.sort_unstable();
                    found.insert(line);
                }
            }
        }
        found.into_iter().collect()
    }
}
