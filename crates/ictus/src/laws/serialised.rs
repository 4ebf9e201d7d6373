//! A law as data for other programs: its name in scenes and its numbers by their names.
//!
//! `{ "law": "hunt-crossley", "stiffness": 1e8, "exponent": 2.3, "dissipation": 0.1 }`. It is made again by its constructor, so that
//! no number comes in that the law would refuse.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Law, ParameterInfo, law};

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let info = self.info();
        let mut map = serializer.serialize_map(Some(1 + info.parameters.len()))?;
        map.serialize_entry("law", info.name)?;
        for (parameter, value) in info.parameters.iter().zip(self.parameters()) {
            map.serialize_entry(&key(parameter), &value)?;
        }
        map.end()
    }
}

#[derive(Deserialize)]
struct Described {
    law: String,
    #[serde(flatten)]
    parameters: BTreeMap<String, f64>,
}

impl<'de> Deserialize<'de> for Law {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Described { law: name, mut parameters } = Described::deserialize(deserializer)?;
        let info = law(&name).ok_or_else(|| D::Error::custom(format!("there is no law \"{name}\"")))?;
        let mut number = |parameter: &ParameterInfo| {
            let missing = || D::Error::custom(format!("{}: {} is missing", info.title, parameter.name));
            parameters.remove(&key(parameter)).ok_or_else(missing)
        };
        let values = info.parameters.iter().map(&mut number).collect::<Result<Vec<f64>, _>>()?;
        if let Some(stranger) = parameters.keys().next() {
            return Err(D::Error::custom(format!("{} has no parameter \"{stranger}\"", info.title)));
        }
        let made = Law::of(&name, &values).ok_or_else(|| D::Error::custom("another number of numbers"))?;
        made.map_err(D::Error::custom)
    }
}

/// Name of a parameter with underscores, as in scenes.
fn key(parameter: &ParameterInfo) -> String {
    parameter.name.replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::HuntCrossley;

    #[test]
    fn a_law_reads_back_and_numbers_out_of_range_are_refused_by_its_own_words() {
        let felt: Law = HuntCrossley::new(1e8, 2.3, 0.1).unwrap().into();
        let text = serde_json::to_string(&felt).unwrap();
        assert_eq!(text, r#"{"law":"hunt-crossley","stiffness":100000000.0,"exponent":2.3,"dissipation":0.1}"#);
        assert_eq!(serde_json::from_str::<Law>(&text).unwrap(), felt);
        let refusal = |text: &str| serde_json::from_str::<Law>(text).unwrap_err().to_string();
        let steep = refusal(&text.replace("2.3", "0.5"));
        assert!(steep.starts_with("Hunt-Crossley: exponent is 0.5, must be from 1 to 13"), "{steep}");
        assert!(refusal(&text.replace("exponent", "exponents")).starts_with("Hunt-Crossley: exponent is missing"));
        assert!(refusal(&text.replace("{", "{\"x\":1,")).starts_with("Hunt-Crossley has no parameter \"x\""));
        assert!(refusal(r#"{"law":"felt"}"#).starts_with("there is no law \"felt\""));
    }
}
