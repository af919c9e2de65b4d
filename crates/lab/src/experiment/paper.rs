//! The documents whose experiments are run again.

/// A document, or ourselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The folder of its experiments.
    pub key: &'static str,
    /// Authors and year.
    pub authors: &'static str,
    /// What it is called.
    pub title: &'static str,
}

impl Paper {
    /// All of them, in the order of the overview.
    pub const ALL: [Paper; 6] = [
        Paper {
            key: "aba-pro",
            authors: "Aichholzer, Aurenhammer and Werner 2002",
            title: "Algorithmic Fun: Abalone",
        },
        Paper {
            key: "verloop",
            authors: "Verloop 2021",
            title: "A Critical Review: Exploring Optimization Strategies in Board Game Abalone for Alpha-Beta Search",
        },
        Paper {
            key: "maastricht",
            authors: "Detry et al. 2023",
            title: "Coding an Abalone Game-Playing Agent",
        },
        Paper { key: "bcit", authors: "Chen, Jia, Lu, Tadey and Wasty 2019", title: "Project Abalone" },
        Paper { key: "cornell", authors: "Lee and Noh", title: "Abalone: Final Project Report" },
        Paper { key: "ours", authors: "Sumito", title: "Our own measurements" },
    ];

    /// The one of a folder.
    pub fn of(key: &str) -> Option<Paper> {
        Paper::ALL.into_iter().find(|paper| paper.key == key)
    }
}
