//! Points of secp256k1 in affine coordinates, many at once: they share an inversion.
//!
//! A point takes 2 multiplications and a square in its field, and 3 more multiplications for its
//! share of an inversion (Montgomery's trick). The points at one distance before and after a third
//! one share even that, because their differences in x are the same: 4.5 multiplications and
//! squares each.
//!
//! The arithmetic of the field is that of `k256`, which also adds the points for which these
//! formulas fail: equal and opposite ones.

use std::sync::LazyLock;

use k256::elliptic_curve::ops::Reduce;
use k256::elliptic_curve::sec1::{FromEncodedPoint, ToEncodedPoint};
use k256::elliptic_curve::{BatchNormalize, Curve, PrimeField};
use k256::{AffinePoint, EncodedPoint, FieldElement, ProjectivePoint, Scalar, Secp256k1, U256};
use zeroize::{Zeroize, Zeroizing};

/// A public key as SEC 1 encodes it without compression: 4, x and y.
pub(super) type PublicKey = [u8; 65];

/// The number of bits of a private key.
const BITS: usize = 256;

/// For private keys that differ in a few digits: 653 KB, which take a millisecond.
static NARROW: LazyLock<Multiples> = LazyLock::new(|| Multiples::new(8));

/// For any private keys: 7.2 MB, which take some ten milliseconds.
static WIDE: LazyLock<Multiples> = LazyLock::new(|| Multiples::new(12));

/// The multiples of the generator by each digit but zero, for each position of it in a private key.
struct Multiples {
    /// The bits of a digit, up to 16.
    width: usize,
    /// For each position, the least significant first.
    positions: Vec<Vec<Point>>,
}

/// A point other than the one at infinity. The coordinates have magnitude 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    x: FieldElement,
    y: FieldElement,
}

impl Zeroize for Point {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

/// Private keys at equal distances.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    /// The private key with half of them before it.
    pub(super) middle: U256,
    pub(super) step: U256,
    /// At least 1.
    pub(super) len: usize,
    /// The [`multiples`] of the step: half as many as private keys, or more. With fewer, it takes
    /// longer.
    pub(super) steps: &'a [Point],
}

impl Zeroize for Block<'_> {
    fn zeroize(&mut self) {
        self.middle.zeroize();
    }
}

impl Block<'_> {
    pub(super) fn key(&self, index: usize) -> U256 {
        let steps = |count: usize| self.step.wrapping_mul(&U256::from_u64(count as u64));
        self.middle.wrapping_sub(&steps(self.before())).wrapping_add(&steps(index))
    }

    /// How many private keys are before the middle.
    fn before(&self) -> usize {
        self.len / 2
    }
}

/// The points of a step, of twice the step, and so on, all of which are less than the order. There
/// are none of zero.
pub(super) fn multiples(step: U256, count: usize) -> Vec<Point> {
    let multiple = |at: usize| step.wrapping_mul(&U256::from_u64(at as u64));
    let count = if step == U256::ZERO { 0 } else { count };
    points(&(1..=count).map(multiple).collect::<Vec<_>>(), &NARROW)
}

/// The points of the middles of blocks. They share a multiplication, which takes as long as a
/// hundred private keys.
pub(super) fn middles(blocks: &[Block<'_>]) -> Zeroizing<Vec<Point>> {
    let middles = Zeroizing::new(blocks.iter().map(|block| block.middle).collect::<Vec<_>>());
    Zeroizing::new(points(&middles, &NARROW))
}

/// Writes the public keys of any legal private keys in the place of others.
pub(super) fn write_public_keys_of(secrets: &[U256], keys: &mut Vec<PublicKey>) {
    let points = Zeroizing::new(points(secrets, &WIDE));
    keys.clear();
    keys.extend(points.iter().map(|point| encoded(point.x, point.y)));
}

/// The number of a private key, if it is legal.
pub(super) fn legal(secret: &[u8; 32]) -> Option<U256> {
    let number = U256::from_be_slice(secret);
    (number != U256::ZERO && number < Secp256k1::ORDER).then_some(number)
}

/// Writes the public keys of blocks whose middles have these points, in ascending order within
/// each, in the place of others. The blocks share an inversion.
pub(super) fn write_public_keys(
    blocks: &[Block<'_>],
    middles: &[Point],
    keys: &mut Vec<PublicKey>,
) {
    keys.resize(blocks.iter().map(|block| block.len).sum(), [0; 65]);
    write_around(blocks, middles, keys);
}

fn write_around(blocks: &[Block<'_>], middles: &[Point], mut keys: &mut [PublicKey]) {
    let mut inverses = Inverses::new(blocks.iter().map(Block::before).sum());
    for (block, middle) in blocks.iter().zip(middles) {
        let minus_x = middle.x.negate(1);
        let steps = block.steps.iter().take(block.before());
        steps.for_each(|step| inverses.push(step.x + minus_x));
    }
    let has_all_steps = blocks.iter().all(|block| block.steps.len() >= block.before());
    let Some(mut inverses) = inverses.finish().filter(|_| has_all_steps) else {
        // One of the blocks has equal points, or opposite ones.
        let (left, right) = blocks.split_at(blocks.len() / 2);
        let (of_left, of_right) = middles.split_at(left.len());
        let (keys, others) = keys.split_at_mut(left.iter().map(|block| block.len).sum());
        return match right {
            [block] if left.is_empty() => write_one_by_one(block, others),
            _ => {
                write_around(left, of_left, keys);
                write_around(right, of_right, others);
            }
        };
    };
    for (block, middle) in blocks.iter().zip(middles) {
        let (ours, others) = inverses.split_at(block.before());
        let (of_block, of_others) = keys.split_at_mut(block.len);
        write_block(*middle, block.steps, ours, of_block);
        (inverses, keys) = (others, of_others);
    }
}

/// The public keys of a point and of those before and after it. `inverses` are those of the
/// differences in x.
fn write_block(middle: Point, steps: &[Point], inverses: &[FieldElement], keys: &mut [PublicKey]) {
    let (before, minus_y) = (inverses.len(), middle.y.negate(1));
    keys[before] = encoded(middle.x, middle.y);
    for (at, (step, inverse)) in steps.iter().zip(inverses).enumerate() {
        let minus_both = (middle.x + step.x).negate(2);
        let public_key = |difference: FieldElement| {
            let slope = difference.mul(inverse);
            let x = slope.square() + minus_both;
            encoded(x, slope.mul(&(middle.x + x.negate(4))) + minus_y)
        };
        keys[before - 1 - at] = public_key(step.y.negate(1) + minus_y);
        if let Some(key) = keys.get_mut(before + 1 + at) {
            *key = public_key(step.y + minus_y);
        }
    }
}

/// The same for one block, without these formulas.
fn write_one_by_one(block: &Block<'_>, keys: &mut [PublicKey]) {
    let step = ProjectivePoint::GENERATOR * scalar(&block.step);
    let mut point = ProjectivePoint::GENERATOR * scalar(&block.key(0));
    let mut points = Vec::with_capacity(block.len);
    for _ in 0..block.len {
        points.push(point);
        point += step;
    }
    let points = ProjectivePoint::batch_normalize(&points[..]);
    for (key, point) in keys.iter_mut().zip(points) {
        key.copy_from_slice(point.to_encoded_point(false).as_bytes());
    }
}

fn encoded(x: FieldElement, y: FieldElement) -> PublicKey {
    let mut key = [4; 65];
    key[1..33].copy_from_slice(&x.to_bytes());
    key[33..].copy_from_slice(&y.to_bytes());
    key
}

/// The public key of one private key; `None` if that is not legal.
pub(super) fn public_key(secret: &[u8; 32]) -> Option<PublicKey> {
    let scalar = Zeroizing::new(Option::<Scalar>::from(Scalar::from_repr((*secret).into()))?);
    let point = (ProjectivePoint::GENERATOR * *scalar).to_encoded_point(false);
    // The encoding of infinity, which is that of zero, is shorter.
    point.as_bytes().try_into().ok()
}

/// The points of legal private keys: of the least one, plus the multiples of the digits by which
/// the others differ from it.
fn points(secrets: &[U256], multiples: &Multiples) -> Vec<Point> {
    let Some(least) = secrets.iter().min() else { return Vec::new() };
    let mut points = vec![Point::of(&(ProjectivePoint::GENERATOR * scalar(least))); secrets.len()];
    let above = secrets.iter().map(|secret| bytes(&secret.wrapping_sub(least)));
    let above = Zeroizing::new(above.collect::<Vec<_>>());
    let mut addends = Zeroizing::new(Vec::with_capacity(secrets.len()));
    for (position, of_position) in multiples.positions.iter().enumerate() {
        let digits = above.iter().map(|bytes| multiples.digit(bytes, position)).enumerate();
        let digits = digits.filter(|&(_, digit)| digit != 0);
        addends.extend(digits.map(|(at, digit)| (at, digit - 1)));
        add_all(&mut points, of_position, &addends);
        addends.zeroize();
    }
    points
}

/// The little-endian bytes of a number.
fn bytes(number: &U256) -> [u8; BITS / 8] {
    let mut bytes: [u8; BITS / 8] = k256::elliptic_curve::bigint::Encoding::to_le_bytes(number);
    let copy = bytes;
    bytes.zeroize();
    copy
}

impl Multiples {
    fn new(width: usize) -> Self {
        let mut base = ProjectivePoint::GENERATOR;
        let mut bases = Vec::with_capacity(BITS.div_ceil(width));
        for _ in 0..BITS.div_ceil(width) {
            bases.push(Point::of(&base));
            for _ in 0..width {
                base = base.double();
            }
        }
        let mut positions: Vec<Vec<Point>> = bases.iter().map(|&base| vec![base]).collect();
        let mut last = bases.clone();
        let addends: Vec<_> = (0..bases.len()).map(|at| (at, at)).collect();
        for _ in 2..1 << width {
            add_all(&mut last, &bases, &addends);
            positions.iter_mut().zip(&last).for_each(|(multiples, &point)| multiples.push(point));
        }
        Self { width, positions }
    }

    /// A digit of a little-endian number.
    fn digit(&self, bytes: &[u8; BITS / 8], position: usize) -> usize {
        let bit = position * self.width;
        let byte = |at: usize| bytes.get(bit / 8 + at).map_or(0, |&byte| u32::from(byte));
        let bits = byte(0) | byte(1) << 8 | byte(2) << 16;
        (bits >> (bit % 8)) as usize & ((1 << self.width) - 1)
    }
}

/// Adds a point to some of the points, each named by its index: that of the sum, and that of the
/// other.
fn add_all(points: &mut [Point], others: &[Point], addends: &[(usize, usize)]) {
    let mut inverses = Inverses::new(addends.len());
    for &(at, other) in addends {
        inverses.push(others[other].x + points[at].x.negate(1));
    }
    let Some(inverses) = inverses.finish() else {
        // Some are equal.
        if let [(at, other)] = *addends {
            points[at] = Point::of(&(points[at].projective() + others[other].projective()));
            return;
        }
        let (left, right) = addends.split_at(addends.len() / 2);
        add_all(points, others, left);
        return add_all(points, others, right);
    };
    for (&(at, other), inverse) in addends.iter().zip(inverses) {
        let (point, other) = (points[at], others[other]);
        let slope = (other.y + point.y.negate(1)).mul(inverse);
        let x = (slope.square() + (point.x + other.x).negate(2)).normalize_weak();
        let y = slope.mul(&(point.x + x.negate(1))) + point.y.negate(1);
        points[at] = Point { x, y: y.normalize_weak() };
    }
}

impl Point {
    /// # Panics
    ///
    /// Panics if it is the point at infinity.
    fn of(point: &ProjectivePoint) -> Self {
        let bytes = point.to_affine().to_encoded_point(false);
        let coordinate = |bytes| FieldElement::from_bytes(bytes).unwrap();
        let (x, y) = bytes.x().zip(bytes.y()).expect("no sum of private keys is zero");
        Self { x: coordinate(x), y: coordinate(y) }
    }

    fn projective(self) -> ProjectivePoint {
        let (x, y) = (self.x.to_bytes(), self.y.to_bytes());
        let encoded = EncodedPoint::from_affine_coordinates(&x, &y, false);
        AffinePoint::from_encoded_point(&encoded).map(ProjectivePoint::from).unwrap()
    }
}

/// The inverses of many field elements, for one inversion.
///
/// Each node of a heap is the product of its children, and the second half are the elements. The
/// inverse of a node times one of its children is that of the other: 3 multiplications for each
/// element, none of which waits for more than a few others.
struct Inverses(Zeroizing<Vec<FieldElement>>);

impl Inverses {
    /// For `count` elements, which are to be pushed.
    fn new(count: usize) -> Self {
        let mut heap = Zeroizing::new(Vec::with_capacity(2 * count));
        heap.resize(count, FieldElement::ONE);
        Self(heap)
    }

    /// Adds an element, of magnitude 8 at most.
    fn push(&mut self, element: FieldElement) {
        self.0.push(element);
    }

    /// The inverses in the order of the elements; `None` if one of those is zero.
    fn finish(&mut self) -> Option<&[FieldElement]> {
        let heap = &mut *self.0;
        let count = heap.len() / 2;
        for at in (1..count).rev() {
            heap[at] = heap[2 * at].mul(&heap[2 * at + 1]);
        }
        if let Some(root) = heap.get_mut(1) {
            *root = Option::from(root.invert())?;
        }
        for at in 1..count {
            let [inverse, left, right] = [at, 2 * at, 2 * at + 1].map(|at| heap[at]);
            heap[2 * at] = inverse.mul(&right);
            heap[2 * at + 1] = inverse.mul(&left);
        }
        Some(&heap[count..])
    }
}

/// The scalar of a number, modulo the order.
fn scalar(number: &U256) -> Scalar {
    Scalar::reduce(*number)
}
