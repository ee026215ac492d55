//! A reader of msgpack, the format of state proofs on the chain.

/// A msgpack value.
#[derive(Debug)]
pub(super) enum Packed {
    Number(u64),
    Bytes(Vec<u8>),
    List(Vec<Packed>),
    Map(Vec<(Packed, Packed)>),
}

impl Packed {
    /// Reads a well-formed value.
    pub(super) fn read(rest: &mut &[u8]) -> Self {
        fn take<'a>(rest: &mut &'a [u8], bytes: usize) -> &'a [u8] {
            let (now, later) = rest.split_at(bytes);
            *rest = later;
            now
        }
        fn number(rest: &mut &[u8], bytes: usize) -> usize {
            take(rest, bytes).iter().fold(0, |number, &byte| number << 8 | usize::from(byte))
        }
        let list = |rest: &mut &[u8], count: usize| {
            Self::List((0..count).map(|_| Self::read(rest)).collect())
        };
        let map = |rest: &mut &[u8], count: usize| {
            Self::Map((0..count).map(|_| (Self::read(rest), Self::read(rest))).collect())
        };
        match take(rest, 1)[0] {
            small @ ..0x80 => Self::Number(small.into()),
            first @ 0x80..0x90 => map(rest, (first & 15).into()),
            first @ 0x90..0xa0 => list(rest, (first & 15).into()),
            first @ 0xa0..0xc0 => Self::Bytes(take(rest, (first & 31).into()).to_vec()),
            first @ (0xc4 | 0xc5) => {
                let bytes = number(rest, usize::from(first - 0xc3));
                Self::Bytes(take(rest, bytes).to_vec())
            }
            first @ 0xcc..=0xcf => Self::Number(number(rest, 1 << (first - 0xcc)) as u64),
            0xdc => {
                let count = number(rest, 2);
                list(rest, count)
            }
            0xde => {
                let count = number(rest, 2);
                map(rest, count)
            }
            other => panic!("{other:#x}"),
        }
    }

    pub(super) fn entries(&self) -> &[(Self, Self)] {
        match self {
            Self::Map(entries) => entries,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn find(&self, key: &str) -> Option<&Self> {
        let is_it =
            |(name, _): &&(Self, Self)| matches!(name, Self::Bytes(name) if name == key.as_bytes());
        self.entries().iter().find(is_it).map(|(_, value)| value)
    }

    pub(super) fn get(&self, key: &str) -> &Self {
        self.find(key).unwrap_or_else(|| panic!("{key} of {self:?}"))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            other => panic!("{other:?}"),
        }
    }
}
