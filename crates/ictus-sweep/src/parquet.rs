//! Tables as Parquet files: one row group, one plain uncompressed page for each column.
//!
//! Format: Apache Parquet 1.0 (`parquet.thrift`), metadata in Thrift's compact protocol. A file is `PAR1`, the pages, the metadata, its
//! length in four bytes, `PAR1`. A page of a column with gaps begins with which rows have a value, in runs (RLE).
//!
//! Rejected: the crate `parquet`. Its twenty crates take as long to compile as a fifth of this program, and a new version of it
//! may write other bytes; here the same rows are the same bytes.

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cells {
    /// Whole numbers, one in every row.
    Whole(Vec<i64>),
    /// Numbers; a row may have none.
    Number(Vec<Option<f64>>),
    /// Texts; a row may have none.
    Text(Vec<Option<String>>),
}

/// A column with its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named<'a> {
    pub(crate) name: &'a str,
    pub(crate) cells: Cells,
}

const MAGIC: &[u8; 4] = b"PAR1";

// Numbers of parquet.thrift.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const REQUIRED: i32 = 0;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const UNCOMPRESSED: i32 = 0;
const DATA_PAGE: i32 = 0;

impl Cells {
    fn rows(&self) -> usize {
        match self {
            Self::Whole(cells) => cells.len(),
            Self::Number(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
        }
    }

    fn kind(&self) -> i32 {
        match self {
            Self::Whole(_) => INT64,
            Self::Number(_) => DOUBLE,
            Self::Text(_) => BYTE_ARRAY,
        }
    }

    fn repetition(&self) -> i32 {
        if let Self::Whole(_) = self { REQUIRED } else { OPTIONAL }
    }

    /// The page: which rows have a value, then the values.
    fn page(&self) -> Vec<u8> {
        let mut page = Vec::new();
        match self {
            Self::Whole(cells) => cells.iter().for_each(|cell| page.extend(cell.to_le_bytes())),
            Self::Number(cells) => {
                put_presence(&mut page, cells.iter().map(Option::is_some));
                cells.iter().flatten().for_each(|cell| page.extend(cell.to_le_bytes()));
            }
            Self::Text(cells) => {
                put_presence(&mut page, cells.iter().map(Option::is_some));
                for cell in cells.iter().flatten() {
                    page.extend((cell.len() as u32).to_le_bytes());
                    page.extend(cell.as_bytes());
                }
            }
        }
        page
    }
}

/// Runs of equal levels, 1 where there is a value.
fn put_presence(page: &mut Vec<u8>, present: impl Iterator<Item = bool>) {
    let mut runs: Vec<(u64, bool)> = Vec::new();
    for level in present {
        match runs.last_mut() {
            Some((length, last)) if *last == level => *length += 1,
            _ => runs.push((1, level)),
        }
    }
    let mut bytes = Vec::new();
    for (length, level) in runs {
        put_varint(&mut bytes, length << 1);
        bytes.push(level.into());
    }
    page.extend((bytes.len() as u32).to_le_bytes());
    page.extend(bytes);
}

/// The bytes of a file with these columns of equal length, and texts by names beside them.
pub(crate) fn encoded(columns: &[Named<'_>], notes: &[(&str, &str)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |column| column.cells.rows()) as i64;
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for column in columns {
        let offset = file.len() as i64;
        let page = column.cells.page();
        let mut header = Compact::default();
        header.integer(1, DATA_PAGE);
        header.integer(2, page.len() as i32);
        header.integer(3, page.len() as i32);
        header.inner(5, |header| {
            header.integer(1, rows as i32);
            header.integer(2, PLAIN);
            header.integer(3, RLE);
            header.integer(4, RLE);
        });
        file.extend(header.finished());
        file.extend(page);
        chunks.push((column, offset, file.len() as i64 - offset));
    }
    let metadata = metadata(&chunks, rows, notes);
    file.extend(&metadata);
    file.extend((metadata.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

fn metadata(chunks: &[(&Named<'_>, i64, i64)], rows: i64, notes: &[(&str, &str)]) -> Vec<u8> {
    let mut file = Compact::default();
    file.integer(1, 1);
    file.list(2, chunks.len() + 1, |index, element| match index.checked_sub(1).map(|index| chunks[index].0) {
        None => {
            element.text(4, "schema");
            element.integer(5, chunks.len() as i32);
        }
        Some(column) => {
            element.integer(1, column.cells.kind());
            element.integer(3, column.cells.repetition());
            element.text(4, column.name);
            if let Cells::Text(_) = column.cells {
                element.integer(6, UTF8);
                // The logical type: a union whose first member is STRING.
                element.inner(10, |kind| kind.inner(1, |_| ()));
            }
        }
    });
    file.long(3, rows);
    file.list(4, 1, |_, group| {
        group.list(1, chunks.len(), |index, chunk| {
            let (column, offset, size) = chunks[index];
            chunk.long(2, offset);
            chunk.inner(3, |data| {
                data.integer(1, column.cells.kind());
                data.integers(2, &[PLAIN, RLE]);
                data.texts(3, &[column.name]);
                data.integer(4, UNCOMPRESSED);
                data.long(5, rows);
                data.long(6, size);
                data.long(7, size);
                data.long(9, offset);
            });
        });
        group.long(2, chunks.iter().map(|(_, _, size)| size).sum());
        group.long(3, rows);
    });
    file.list(5, notes.len(), |index, note| {
        note.text(1, notes[index].0);
        note.text(2, notes[index].1);
    });
    file.text(6, concat!("ictus ", env!("CARGO_PKG_VERSION")));
    file.finished()
}

/// A struct in Thrift's compact protocol.
#[derive(Default)]
struct Compact {
    bytes: Vec<u8>,
    last: i16,
}

// Types of the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Compact {
    /// The header of a field, whose number is at most 15 above that of the last.
    fn field(&mut self, number: i16, kind: u8) {
        self.bytes.push(((number - self.last) as u8) << 4 | kind);
        self.last = number;
    }

    fn integer(&mut self, number: i16, value: i32) {
        self.field(number, I32);
        put_varint(&mut self.bytes, zigzag(value.into()));
    }

    fn long(&mut self, number: i16, value: i64) {
        self.field(number, I64);
        put_varint(&mut self.bytes, zigzag(value));
    }

    fn text(&mut self, number: i16, text: &str) {
        self.field(number, BINARY);
        put_text(&mut self.bytes, text);
    }

    fn inner(&mut self, number: i16, fill: impl FnOnce(&mut Self)) {
        self.field(number, STRUCT);
        let mut inner = Self::default();
        fill(&mut inner);
        self.bytes.extend(inner.finished());
    }

    /// A list of structs.
    fn list(&mut self, number: i16, count: usize, mut fill: impl FnMut(usize, &mut Self)) {
        self.list_header(number, count, STRUCT);
        for index in 0..count {
            let mut element = Self::default();
            fill(index, &mut element);
            self.bytes.extend(element.finished());
        }
    }

    fn integers(&mut self, number: i16, values: &[i32]) {
        self.list_header(number, values.len(), I32);
        values.iter().for_each(|value| put_varint(&mut self.bytes, zigzag((*value).into())));
    }

    fn texts(&mut self, number: i16, values: &[&str]) {
        self.list_header(number, values.len(), BINARY);
        values.iter().for_each(|value| put_text(&mut self.bytes, value));
    }

    fn list_header(&mut self, number: i16, count: usize, kind: u8) {
        self.field(number, LIST);
        if count < 15 {
            self.bytes.push((count as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            put_varint(&mut self.bytes, count as u64);
        }
    }

    fn finished(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_varint(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// Whether a file ends as a whole table does.
pub(crate) fn is_whole(ending: &[u8; 4], length: u64) -> bool {
    ending == MAGIC && length > 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_thrift_does() {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, 300);
        assert_eq!(bytes, [0xac, 0x02]);
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }

    #[test]
    fn presence_is_written_in_runs() {
        let mut page = Vec::new();
        put_presence(&mut page, [true, true, false, true].into_iter());
        assert_eq!(page, [6, 0, 0, 0, 4, 1, 2, 0, 2, 1]);
    }

    #[test]
    fn the_file_ends_with_its_metadata() {
        let columns = [
            Named { name: "index", cells: Cells::Whole(vec![1, 2]) },
            Named { name: "a.b", cells: Cells::Number(vec![None, Some(2.5)]) },
            Named { name: "error", cells: Cells::Text(vec![Some("no".into()), None]) },
        ];
        let file = encoded(&columns, &[("key", "value")]);
        assert_eq!((&file[..4], &file[file.len() - 4..]), (&MAGIC[..], &MAGIC[..]));
        let length = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().unwrap()) as usize;
        let metadata = &file[file.len() - 8 - length..file.len() - 8];
        assert_eq!(metadata[0], 0x15, "the version, an integer, is field 1");
        for name in ["index", "a.b", "error", "key", "value"] {
            assert!(metadata.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
        }
        assert_eq!(file, encoded(&columns, &[("key", "value")]), "the same rows are the same bytes");
    }
}
