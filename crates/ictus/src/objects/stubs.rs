//! temporary
#![allow(missing_docs, dead_code)]
use super::*;
use fearless_simd::Level;

#[derive(Clone, Debug)]
pub struct Line;
impl Body for Line {
    fn free_step(&mut self, _: Level) {}
    fn read(&self, _: &Support, _: At) -> f64 {
        0.0
    }
    fn push(&mut self, _: &Support, _: f64) {}
    fn admittance(&self, _: &Support, _: &Support) -> f64 {
        0.0
    }
    fn dissipated_in_step(&self) -> f64 {
        0.0
    }
    fn advance(&mut self) {}
    fn stored_energy(&self) -> f64 {
        0.0
    }
    fn support(&self, _: Place) -> Result<Support, ObjectError> {
        Ok(Support::Whole)
    }
    fn reset(&mut self) {}
    fn quieten(&mut self) {}
}

#[derive(Clone, Debug)]
pub struct Sheet;
impl Body for Sheet {
    fn free_step(&mut self, _: Level) {}
    fn read(&self, _: &Support, _: At) -> f64 {
        0.0
    }
    fn push(&mut self, _: &Support, _: f64) {}
    fn admittance(&self, _: &Support, _: &Support) -> f64 {
        0.0
    }
    fn dissipated_in_step(&self) -> f64 {
        0.0
    }
    fn advance(&mut self) {}
    fn stored_energy(&self) -> f64 {
        0.0
    }
    fn support(&self, _: Place) -> Result<Support, ObjectError> {
        Ok(Support::Whole)
    }
    fn reset(&mut self) {}
    fn quieten(&mut self) {}
}

#[derive(Clone, Debug)]
pub struct Modal;
impl Body for Modal {
    fn free_step(&mut self, _: Level) {}
    fn read(&self, _: &Support, _: At) -> f64 {
        0.0
    }
    fn push(&mut self, _: &Support, _: f64) {}
    fn admittance(&self, _: &Support, _: &Support) -> f64 {
        0.0
    }
    fn dissipated_in_step(&self) -> f64 {
        0.0
    }
    fn advance(&mut self) {}
    fn stored_energy(&self) -> f64 {
        0.0
    }
    fn support(&self, _: Place) -> Result<Support, ObjectError> {
        Ok(Support::Whole)
    }
    fn reset(&mut self) {}
    fn quieten(&mut self) {}
}

#[derive(Clone, Debug)]
pub struct StringSpec;
impl StringSpec {
    pub(crate) fn build(&self, _: f64, _: usize) -> Result<Line, ObjectError> {
        Ok(Line)
    }
}

#[derive(Clone, Debug)]
pub struct BarSpec;
impl BarSpec {
    pub(crate) fn build(&self, _: f64, _: usize) -> Result<Line, ObjectError> {
        Ok(Line)
    }
}

#[derive(Clone, Debug)]
pub struct MembraneSpec;
impl MembraneSpec {
    pub(crate) fn build(&self, _: f64, _: usize) -> Result<Sheet, ObjectError> {
        Ok(Sheet)
    }
}

#[derive(Clone, Debug)]
pub struct PlateSpec;
impl PlateSpec {
    pub(crate) fn build(&self, _: f64, _: usize) -> Result<Sheet, ObjectError> {
        Ok(Sheet)
    }
}

#[derive(Clone, Debug)]
pub struct ModalSpec;
impl ModalSpec {
    pub(crate) fn build(&self, _: f64, _: usize) -> Result<Modal, ObjectError> {
        Ok(Modal)
    }
}

impl Line {
    pub(crate) fn segments(&self) -> usize {
        1
    }
    pub(crate) fn moving_points(&self) -> std::ops::Range<usize> {
        0..0
    }
    pub(crate) fn cell(&self, _: usize) -> f64 {
        1.0
    }
    pub(crate) fn pluck(&mut self, _: f64, _: f64, _: f64) {}
}
