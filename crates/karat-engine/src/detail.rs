//! Whose words does a report carry, beside those of the worst cases?
//!
//! A report keeps ids and labels of every case, and words of ten. A page that people click through wants more, and
//! `karat explain CASE` wants one case whole; neither may let memory follow the log.

use crate::report::{Case, CaseView};

/// Whose path a report tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Nobody's, beside the worst cases' words.
    #[default]
    Worst,
    /// That of the cases of this name.
    Named(String),
    /// So many cases', wrong ones first, until their words take so many bytes.
    Many {
        /// How many at most.
        cases: usize,
        /// How many bytes of words at most.
        bytes: usize,
    },
}

impl Detail {
    /// What a page holds: enough to click through, and no more than a browser opens at once.
    pub const PAGE: Detail = Detail::Many { cases: 10_000, bytes: 24 << 20 };

    /// Gives the cases that are to be told their paths. `good` and `path` take the place of a case in the list.
    pub fn to(&self, cases: &mut [Case], good: impl Fn(usize) -> bool, path: impl Fn(usize) -> CaseView) {
        match self {
            Detail::Worst => {}
            Detail::Named(name) => {
                for (i, case) in cases.iter_mut().enumerate() {
                    if case.is_called(name) {
                        case.view = Some(Box::new(path(i)));
                    }
                }
            }
            Detail::Many { cases: most, bytes } => {
                let wrong_first =
                    (0..cases.len()).filter(|&i| !good(i)).chain((0..cases.len()).filter(|&i| good(i)));
                let mut left = *bytes;
                for i in wrong_first.take(*most) {
                    let told = path(i);
                    let Some(rest) = left.checked_sub(told.size()) else { break };
                    (left, cases[i].view) = (rest, Some(Box::new(told)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Offender;

    fn told(tell: &Detail) -> Vec<bool> {
        let mut cases: Vec<Case> =
            ["a", "b", "c", "d"].map(|id| Case { id: id.into(), ..Case::default() }).into();
        let path = |_| CaseView {
            summary: Offender { question: "four".into(), ..Offender::default() },
            ..CaseView::default()
        };
        tell.to(&mut cases, |i| i < 2, path);
        cases.iter().map(|case| case.view.is_some()).collect()
    }

    #[test]
    fn wrong_cases_come_first_and_words_are_bounded() {
        assert_eq!(told(&Detail::Worst), [false; 4]);
        assert_eq!(told(&Detail::Named("b".into())), [false, true, false, false]);
        assert_eq!(told(&Detail::Many { cases: 3, bytes: 100 }), [true, false, true, true]);
        assert_eq!(told(&Detail::Many { cases: 4, bytes: 9 }), [false, false, true, true]);
        assert_eq!(told(&Detail::Many { cases: 4, bytes: 3 }), [false; 4]);
    }
}
