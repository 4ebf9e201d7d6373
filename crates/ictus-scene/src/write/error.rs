//! Why a scene cannot be written.

/// What of a scene the text cannot say.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A number that the reader would refuse.
    #[error("{of}: `{key}` is {}, must be {allowed}", ictus::math::Plain(*.value))]
    OutOfRange {
        /// What it belongs to.
        of: String,
        /// Its key in the text.
        key: String,
        /// The number, in SI units.
        value: f64,
        /// What the reader accepts.
        allowed: String,
    },
    /// Something for which the text has no words.
    #[error("{of}: the text of a scene cannot say {what}")]
    Unsayable {
        /// What it belongs to.
        of: String,
        /// What it is.
        what: String,
    },
    /// Something is named that the scene does not have.
    #[error("{of} names {what}, which is not there")]
    Missing {
        /// What names it.
        of: String,
        /// What it names.
        what: String,
    },
    /// The text would be longer than the reader takes.
    #[error("the text would have {bytes} bytes; a scene has at most {most}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most a scene may have.
        most: usize,
    },
    /// The text would have more numbers and tables than the reader takes.
    #[error("reading the text would take {megabytes} MB; the limit is {most} MB")]
    TooLarge {
        /// What reading it would take, in MB.
        megabytes: usize,
        /// The most it may take, in MB.
        most: usize,
    },
}

impl WriteError {
    pub(super) fn unsayable(of: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Unsayable { of: of.into(), what: what.into() }
    }

    pub(super) fn missing(of: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Missing { of: of.into(), what: what.into() }
    }
}
