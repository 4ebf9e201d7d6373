//! The live parameters of each thing of a scene, by their keys: `force` of a bow, `stiffness` of a felt.

use ictus::Model;
use ictus::control::End;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::model::{ObjectSpec, Target};
use ictus::objects::Place;

use crate::ExciterId;
use crate::gains::Heard;
use crate::instrument::pan::Pan;
use crate::objects::kind_of;
use crate::registry::contact::parameter_key;
use crate::scene::{Amount, Exciter, Parameter};
use crate::units::{FORCE, FRACTION, GAIN, LENGTH, Measure, NUMBER, RESISTANCE, SEMITONES, VELOCITY};

/// Something that has a name in a scene, by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Object(usize),
    Contact(usize),
    Exciter(ExciterId),
    Force(usize),
    Pickup(usize),
}

/// A live parameter: its key, what it measures, and its value at the start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Live {
    pub(crate) key: String,
    pub(crate) parameter: Parameter,
    pub(crate) measure: Measure,
    pub(crate) value: f64,
}

/// What live parameters belong to.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) model: &'a Model,
    pub(crate) exciters: &'a [Exciter],
    pub(crate) heard: &'a Heard,
}

impl Parts<'_> {
    /// The contact that a name stands for: itself, or that of an exciter.
    pub(crate) fn contact_of(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Contact(contact) => Some(contact),
            Thing::Exciter(exciter) => Some(self.exciters.get(exciter.index())?.tool.parts().contact?.index()),
            _ => None,
        }
    }

    /// All live parameters of a thing.
    pub(crate) fn live(&self, thing: Thing) -> Vec<Live> {
        let live = |key: &str, parameter, measure, value| Live { key: key.to_owned(), parameter, measure, value };
        match thing {
            Thing::Object(index) => match &self.model.objects[index].spec {
                spec if is_in_modes(spec) => {
                    let mut all = vec![live("losses", Parameter::Losses(ObjectId::new(index)), NUMBER, 1.0)];
                    if let ObjectSpec::String(spec) = spec
                        && spec.bend > 1.0
                    {
                        all.push(live("bent", Parameter::Bend(ObjectId::new(index)), SEMITONES, 0.0));
                    }
                    all
                }
                ObjectSpec::Barrier(spec) => vec![
                    live("height", Parameter::Height(ObjectId::new(index)), LENGTH, spec.height),
                    live("velocity", Parameter::Velocity(ObjectId::new(index)), VELOCITY, spec.velocity),
                ],
                ObjectSpec::String(spec) if spec.bend > 1.0 => {
                    vec![live("bent", Parameter::Bend(ObjectId::new(index)), SEMITONES, 0.0)]
                }
                _ => vec![],
            },
            Thing::Contact(index) => {
                let mut all = self.law_parameters(index);
                let contact = &self.model.interactions[index];
                all.extend([
                    live("damping", Parameter::Damping(ContactId::new(index)), RESISTANCE, contact.damping),
                    live("gap", Parameter::Gap(ContactId::new(index)), LENGTH, contact.gap),
                    live(
                        "active",
                        Parameter::Active(ContactId::new(index)),
                        NUMBER,
                        f64::from(u8::from(contact.active)),
                    ),
                ]);
                if let Some(roughness) = &contact.roughness {
                    all.push(live("travel", Parameter::Travel(ContactId::new(index)), VELOCITY, roughness.velocity));
                }
                all.extend(self.places(index));
                all
            }
            Thing::Force(index) => {
                vec![live("level", Parameter::Level(ForceId::new(index)), FORCE, self.model.forces[index].level)]
            }
            Thing::Pickup(index) => {
                let (gain, direction) = self.heard.of(index, &self.model.pickups[index].gains);
                let mut all = vec![live("gain", Parameter::Gain(PickupId::new(index)), GAIN, gain)];
                if let Some(pan) = Pan::of(&direction) {
                    all.push(live("pan", Parameter::Pan(PickupId::new(index)), FRACTION, pan.place));
                }
                if let Target::Point(at) = self.model.pickups[index].source.target() {
                    let (along, across) =
                        (Parameter::PickupAlong(PickupId::new(index)), Parameter::PickupAcross(PickupId::new(index)));
                    all.extend(place_parameters(at.place, ["at", "across"], [along, across]));
                }
                all
            }
            Thing::Exciter(id) => self.live_of_exciter(id),
        }
    }

    fn live_of_exciter(&self, id: ExciterId) -> Vec<Live> {
        let exciter = &self.exciters[id.index()];
        let Amount { key, measure, .. } = exciter.tool.info().amount;
        let amount = Live { key: key.into(), parameter: Parameter::Amount(id), measure, value: exciter.amount };
        let mut all = vec![amount];
        if let Some(centre) = exciter.tool.centre() {
            all.push(Live { key: "at".into(), parameter: Parameter::Centre(id), measure: FRACTION, value: centre });
        }
        if let Some(contact) = self.contact_of(Thing::Exciter(id)) {
            for mut live in self.law_parameters(contact) {
                // A bow's own word for the normal force of its friction.
                if live.key == "normal_force" {
                    live.key = "force".into();
                }
                match exciter.tool.law_key(&live.key).map(str::to_owned) {
                    Some(key) => live.key = key,
                    None => continue,
                }
                all.push(live);
            }
            if exciter.tool.info().damping {
                let (damping, value) =
                    (Parameter::Damping(ContactId::new(contact)), self.model.interactions[contact].damping);
                all.push(Live { key: "damping".into(), parameter: damping, measure: RESISTANCE, value });
            }
            all.extend(self.places(contact));
        }
        all
    }

    fn law_parameters(&self, contact: usize) -> Vec<Live> {
        let law = &self.model.interactions[contact].law;
        let each = law.info().parameters.iter().zip(law.parameters()).enumerate();
        let live = |(place, (parameter, value)): (usize, (&ictus::laws::ParameterInfo, f64))| Live {
            key: parameter_key(parameter),
            parameter: Parameter::Law(ContactId::new(contact), place),
            measure: Measure::of_unit(parameter.unit),
            value,
        };
        each.map(live).collect()
    }

    /// The places of a contact that can move: `at` if one end lies on something extended, `from_at` and `to_at` if both do.
    fn places(&self, index: usize) -> Vec<Live> {
        let contact = &self.model.interactions[index];
        if contact.spread.is_some() {
            return vec![];
        }
        let parameters =
            |end| [Parameter::Along(ContactId::new(index), end), Parameter::Across(ContactId::new(index), end)];
        let is_extended = |place| matches!(place, Place::Along(_) | Place::On(..));
        let (from, to) = (contact.from.place, contact.to.place);
        match (is_extended(from), is_extended(to)) {
            (true, true) => [
                place_parameters(from, ["from_at", "from_across"], parameters(End::From)),
                place_parameters(to, ["to_at", "to_across"], parameters(End::To)),
            ]
            .concat(),
            (true, false) => place_parameters(from, ["at", "across"], parameters(End::From)),
            (false, true) => place_parameters(to, ["at", "across"], parameters(End::To)),
            (false, false) => vec![],
        }
    }
}

/// Whether an object is made of modes, whose decays can all be changed at once.
pub(crate) fn is_in_modes(spec: &ObjectSpec) -> bool {
    kind_of(spec).is_some_and(|kind| (kind.is_in_modes)(spec))
}

/// The parameters of a place: one along a line, two on a sheet.
fn place_parameters(place: Place, keys: [&str; 2], parameters: [Parameter; 2]) -> Vec<Live> {
    let values = match place {
        Place::Along(x) => vec![x],
        Place::On(x, y) => vec![x, y],
        _ => vec![],
    };
    let live = |((value, key), parameter): ((f64, &str), Parameter)| Live {
        key: key.to_owned(),
        parameter,
        measure: FRACTION,
        value,
    };
    values.into_iter().zip(keys).zip(parameters).map(live).collect()
}
