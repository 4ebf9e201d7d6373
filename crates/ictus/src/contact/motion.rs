//! How a contact would move if it did not push back, and what a choice of g and R makes of it.

/// Where a contact stands before its step, and how it would move if it did not push back.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Compression one sample ago, in m.
    pub previous: f64,
    /// Compression now, in m.
    pub now: f64,
    /// Free step `η* - η⁻` over two samples, in m.
    pub free_step: f64,
    /// Admittance q in m/N: displacement over one step per unit force; > 0.
    pub admittance: f64,
    /// Sample rate in Hz.
    pub rate: f64,
}

impl Motion {
    /// The g that empties ψ in this step: `g_r = (s0 + √(s0² + 4Δqψ²))/(qψ)`, `Δ = 1 + qR/2k`.
    #[inline]
    pub(super) fn emptying_slope(&self, root: f64, resistance: f64) -> f64 {
        let damping = 1.0 + 0.5 * self.admittance * resistance * self.rate;
        let s0 = self.free_step;
        let spread = (s0 * s0 + 4.0 * damping * self.admittance * root * root).sqrt();
        // Of the two forms of the same root, the one that does not cancel.
        if s0 > 0.0 { (s0 + spread) / (self.admittance * root) } else { 4.0 * damping * root / (spread - s0) }
    }

    /// Change of velocity over one step by everything but this contact, in m/s; 0 where rounding could have made it.
    #[inline]
    pub(super) fn free_change(&self) -> f64 {
        let bend = self.free_step - 2.0 * (self.now - self.previous);
        let rounding = 8.0 * f64::EPSILON * (self.now.abs() + self.previous.abs() + self.free_step.abs());
        if bend.abs() > rounding { bend * self.rate } else { 0.0 }
    }

    /// Acceleration by everything but this contact, in m/s²; 0 where rounding could have made it.
    #[inline]
    pub(super) fn free_acceleration(&self) -> f64 {
        self.free_change() * self.rate
    }

    /// Velocity over the last half step, δt₋η, in m/s.
    #[inline]
    pub(super) fn velocity(&self) -> f64 {
        (self.now - self.previous) * self.rate
    }
}
