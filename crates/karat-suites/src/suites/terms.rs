//! Families of words: the labels, stages, reasons and states of a suite.
//!
//! Each is one row of a table: what it is called, what it means and, where there is something to do about it, advice. Its
//! place in the table is its rank.

/// Declares a family: one row per term, with its name, its meaning and perhaps advice.
macro_rules! terms {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Family:ident {
            $($(#[$mark:meta])* $Term:ident: $name:literal, $meaning:literal $(, $advice:literal)?;)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $Family {
            $(#[doc = $meaning] $(#[$mark])* $Term,)+
        }

        #[allow(dead_code)]
        impl $Family {
            /// All of them, by rank.
            $visibility const ALL: [$Family; [$($name),+].len()] = [$($Family::$Term),+];

            /// Their names and meanings, as an option of the command line lists them.
            $visibility const OPTIONS: [(&'static str, &'static str); Self::ALL.len()] = [$(($name, $meaning)),+];

            const WORDS: [[&'static str; 3]; Self::ALL.len()] = [$([$name, $meaning, concat!($($advice)?)]),+];

            /// What it is called.
            #[must_use]
            $visibility const fn name(self) -> &'static str {
                Self::WORDS[self as usize][0]
            }

            /// What it means.
            #[must_use]
            $visibility const fn meaning(self) -> &'static str {
                Self::WORDS[self as usize][1]
            }

            /// What to do about it.
            #[must_use]
            $visibility const fn advice(self) -> &'static str {
                Self::WORDS[self as usize][2]
            }

            /// The one of this name.
            #[must_use]
            $visibility fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|term| term.name() == name)
            }
        }
    };
}

pub(crate) use terms;
