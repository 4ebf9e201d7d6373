//! Which vector instructions the engine uses.
//!
//! By default the best that the processor has. Every level gives the same bits (the engine neither reassociates nor fuses), so a lower
//! one only serves to compare: tests run one level against another, and a user can rule the vector instructions out as the cause of
//! something strange. The choice is one for the whole process: a level per engine would have to reach every kernel, for no use
//! but this one.
//!
//! Kernels are inlined into the loop that is compiled for a level, so that they have its instructions. WebAssembly without vectors has one level and eight numbers where others
//! have a vector: there the largest kernels stay functions of their own. As one function the loop took 13 minutes to compile, and ran 1.3 times as long. So they do
//! with the feature `scalar`, which has that level beside all others and is for tests alone.

use std::sync::OnceLock;

use fearless_simd::Level;

static CHOSEN: OnceLock<Level> = OnceLock::new();

/// Why a level cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// There is no such level, or this processor or this build does not have it.
    #[error("this program on this processor has {}", available().join(", "))]
    Unavailable,
    /// A level was chosen before.
    #[error("the level can be chosen only once")]
    Chosen,
}

/// Names of the levels that this processor and this build have, the least first. `scalar` needs the feature of that name wherever
/// the processor always has something better.
pub fn available() -> Vec<&'static str> {
    levels().into_iter().map(|(name, _)| name).collect()
}

/// Makes engines that are built from now on use this level.
pub fn choose(name: &str) -> Result<(), LevelError> {
    let (_, level) = levels().into_iter().find(|(known, _)| *known == name).ok_or(LevelError::Unavailable)?;
    CHOSEN.set(level).map_err(|_| LevelError::Chosen)
}

/// The level in use. Neither locks nor allocates.
pub(crate) fn level() -> Level {
    CHOSEN.get().copied().unwrap_or_else(Level::new)
}

pub(crate) fn levels() -> Vec<(&'static str, Level)> {
    let mut levels = Vec::new();
    #[cfg(feature = "scalar")]
    levels.push(("scalar", Level::fallback()));
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let best = Level::new();
        levels.extend(best.as_sse2().map(|token| ("sse2", Level::Sse2(token))));
        levels.extend(best.as_sse4_2().map(|token| ("sse4.2", Level::Sse4_2(token))));
        levels.extend(best.as_avx2().map(|token| ("avx2", Level::Avx2(token))));
        levels.extend(best.as_avx512().map(|token| ("avx512", Level::Avx512(token))));
    }
    #[cfg(target_arch = "aarch64")]
    levels.extend(Level::new().as_neon().map(|token| ("neon", Level::Neon(token))));
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    levels.extend(Level::new().as_wasm_simd128().map(|token| ("simd128", Level::WasmSimd128(token))));
    if levels.is_empty() {
        levels.push(("scalar", Level::new()));
    }
    levels
}
