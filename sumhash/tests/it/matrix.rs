//! The matrix, recomputed from Shake256.

use sumhash512::{Matrix, SizeError};

use crate::reference::Reference;

#[test]
fn matrix_of_sumhash512() {
    let (matrix, reference) = (Matrix::sumhash512(), Reference::sumhash512());
    for i in 0..8 {
        assert_eq!(matrix.row(i), reference.row(i), "row {i}");
    }
    // From the specification's implementation.
    assert_eq!(matrix.row(0)[..2], [0xc0df_2685_a9f8_a108, 0xd372_dd79_18bd_1926]);
    assert_eq!(matrix.row(7)[1023], 0xd254_76de_b555_b6cb);
    assert_eq!(matrix, Matrix::new(8, 1024, b"Algorand").unwrap());
    assert_ne!(matrix, Matrix::new(8, 1024, b"algorand").unwrap());
}

#[test]
fn invalid_sizes() {
    assert_eq!(Matrix::new(0, 1024, b"").unwrap_err(), SizeError::Rows { n: 0 });
    assert_eq!(Matrix::new(65_536, 1024, b"").unwrap_err(), SizeError::Rows { n: 65_536 });
    assert_eq!(Matrix::new(8, 1020, b"").unwrap_err(), SizeError::Columns { m: 1020 });
    assert_eq!(Matrix::new(8, 65_536, b"").unwrap_err(), SizeError::Columns { m: 65_536 });
    assert_eq!(Matrix::new(8, 632, b"").unwrap_err(), SizeError::Block { n: 8, m: 632 });
    assert_eq!(Matrix::new(8, 0, b"").unwrap_err(), SizeError::Block { n: 8, m: 0 });
    assert!(Matrix::new(8, 640, b"").is_ok());
    const MAX: usize = usize::MAX;
    assert_eq!(Matrix::new(0, 0, b"").unwrap_err(), SizeError::Rows { n: 0 });
    assert_eq!(Matrix::new(MAX, MAX, b"").unwrap_err(), SizeError::Rows { n: MAX });
    assert_eq!(Matrix::new(8, MAX, b"").unwrap_err(), SizeError::Columns { m: MAX });
    assert_eq!(Matrix::new(8, MAX - 7, b"").unwrap_err(), SizeError::Columns { m: MAX - 7 });
    let (n, m) = (65_535, 65_528);
    assert_eq!(Matrix::new(n, m, b"").unwrap_err(), SizeError::Block { n, m });
}

#[test]
fn errors_name_the_sizes() {
    let text = |n, m| Matrix::new(n, m, b"").unwrap_err().to_string();
    assert_eq!(text(70_000, 1024), "the number of rows must be from 1 to 65535, not 70000");
    assert_eq!(
        text(8, 1020),
        "the number of columns must be a multiple of 8 below 65536, not 1020"
    );
    assert_eq!(
        text(8, 632),
        "8 rows and 632 columns leave fewer than 16 bytes for a message block; use more columns \
         or fewer rows"
    );
}
