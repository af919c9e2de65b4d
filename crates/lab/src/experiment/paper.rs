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
    /// Where it was published or written.
    pub published: &'static str,
}

impl Paper {
    /// All of them, in the order of the overview.
    pub const ALL: [Paper; 6] = [
        Paper {
            key: "aba-pro",
            authors: "Aichholzer, Aurenhammer and Werner 2002",
            title: "Algorithmic Fun: Abalone",
            published: "Institute for Theoretical Computer Science, Graz University of Technology",
        },
        Paper {
            key: "verloop",
            authors: "Verloop 2021",
            title: "A Critical Review: Exploring Optimization Strategies in Board Game Abalone for Alpha-Beta Search",
            published: "Bachelor thesis, Radboud University",
        },
        Paper {
            key: "maastricht",
            authors: "Detry et al. 2023",
            title: "Coding an Abalone Game-Playing Agent",
            published: "Maastricht University",
        },
        Paper {
            key: "bcit",
            authors: "Chen, Jia, Lu, Tadey and Wasty 2019",
            title: "Project Abalone",
            published: "Course project, British Columbia Institute of Technology",
        },
        Paper {
            key: "cornell",
            authors: "Lee and Noh",
            title: "Abalone: Final Project Report",
            published: "Course project, Cornell University",
        },
        Paper { key: "ours", authors: "Sumito", title: "Our own measurements", published: "" },
    ];

    /// The one of a folder.
    pub fn of(key: &str) -> Option<Paper> {
        Paper::ALL.into_iter().find(|paper| paper.key == key)
    }
}
