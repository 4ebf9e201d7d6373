//! A clone goes on like the original, and every layout of a block holds the same samples.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use ictus_scene::Instrument;
use ictus_scene::scene::{Action, Scene};

use crate::scenes::*;

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

fn busy() -> Instrument {
    Instrument::new(&Scene { score: busy_score(), ..workshop() }).unwrap()
}

#[test]
fn a_clone_made_while_it_sounds_goes_on_bit_for_bit() {
    for frames in [1, 7_777, 8_003, 26_500, 40_001] {
        let mut original = busy();
        original.keep_account_of_energy(true);
        original.process(&mut vec![0.0; 2 * frames]);
        let mut clone = original.clone();
        let (mut one, mut other) = (vec![0.0; 2 * 30_000], vec![0.0; 2 * 30_000]);
        original.process(&mut one);
        clone.process(&mut other);
        assert!(one.iter().any(|sample| *sample != 0.0));
        assert!(one == other, "cloned after {frames} frames");
        assert_eq!(original.engine().balance(), clone.engine().balance());
        assert!(original.drain_contacts().eq(clone.drain_contacts()), "contacts are remembered too");
    }
}

#[test]
fn what_is_done_to_a_clone_is_not_heard_in_the_original() {
    let (mut alone, mut original) = (busy(), busy());
    let (mut expected, mut heard) = (vec![0.0; 2 * 20_000], vec![0.0; 2 * 20_000]);
    alone.process(&mut expected);
    let mut clone = original.clone();
    clone.act(&Action::Play { exciter: HAMMER, amount: 5.0, over: 0.0 }).unwrap();
    clone.process(&mut vec![0.0; 2 * 500]);
    original.process(&mut heard);
    assert!(heard == expected);
}

#[test]
fn a_clone_takes_no_memory_while_it_plays() {
    let mut original = busy();
    original.process(&mut vec![0.0; 2 * 6_000]);
    let mut clone = original.clone();
    let mut block = vec![0.0; 2 * 60_000];
    assert_no_alloc(|| clone.process(&mut block));
    assert!(clone.drain_contacts().count() > 0);
}

#[test]
fn every_layout_and_every_block_holds_the_same_samples() {
    let frames = 36_000;
    let mut whole = vec![0.0; 2 * frames];
    busy().process(&mut whole);
    let single: Vec<f32> = whole.iter().map(|sample| *sample as f32).collect();
    for block in [1, 16, 100, 513] {
        let (mut instrument, mut heard) = (busy(), vec![0.0f32; 2 * frames]);
        heard.chunks_mut(2 * block).for_each(|block| instrument.process_f32(block));
        assert!(heard == single, "interleaved in single precision, blocks of {block}");

        let mut instrument = busy();
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        for (left, right) in left.chunks_mut(block).zip(right.chunks_mut(block)) {
            instrument.process_planar(&mut [left, right]);
        }
        assert!(whole.chunks(2).zip(left.iter().zip(&right)).all(|(both, (left, right))| both == [*left, *right]));

        let mut instrument = busy();
        let (mut left, mut right) = (vec![0.0f32; frames], vec![0.0f32; frames]);
        for (left, right) in left.chunks_mut(block).zip(right.chunks_mut(block)) {
            instrument.process_planar_f32(&mut [left, right]);
        }
        assert!(single.chunks(2).zip(left.iter().zip(&right)).all(|(both, (left, right))| both == [*left, *right]));
    }
}

#[test]
fn blocks_that_do_not_fit_the_channels_are_filled_as_far_as_they_go() {
    let mut expected = vec![0.0; 2 * 1000];
    busy().process(&mut expected);
    let (mut left, mut right, mut third) = (vec![9.0; 1000], vec![9.0; 1200], vec![9.0; 1000]);
    busy().process_planar(&mut [&mut left, &mut right, &mut third]);
    assert!(expected.chunks(2).zip(left.iter().zip(&right)).all(|(both, (left, right))| both == [*left, *right]));
    assert!(right[1000..].iter().chain(&third).all(|sample| *sample == 0.0));
    let mut alone = vec![9.0; 1000];
    busy().process_planar(&mut [&mut alone]);
    assert!(expected.iter().step_by(2).eq(&alone));
}

#[test]
fn no_layout_takes_memory() {
    let mut instrument = busy();
    let (mut block, mut left, mut right) = ([0.0f32; 1000], [0.0; 700], [0.0; 700]);
    let (mut low, mut high) = ([0.0f32; 700], [0.0f32; 700]);
    let path = "hammer.stiffness";
    assert_no_alloc(|| {
        for _ in 0..20 {
            instrument.process_f32(&mut block);
            instrument.process_planar(&mut [&mut left, &mut right]);
            instrument.process_planar_f32(&mut [&mut low, &mut high]);
            let id = instrument.parameter(path).unwrap();
            instrument.set(id, 2e7).unwrap();
            instrument.glide(id, 5e7, 0.01).unwrap();
            std::hint::black_box(instrument.value(id));
        }
    });
}
