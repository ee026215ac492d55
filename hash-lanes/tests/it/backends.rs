//! What this machine can run.

use std::collections::HashSet;

use hash_lanes::{Backend, LaneKernel, ShaExtensions};

use crate::assert_shared_between_threads;

const _: () = {
    assert_shared_between_threads::<Backend>();
    assert_shared_between_threads::<LaneKernel>();
    assert_shared_between_threads::<ShaExtensions>();
};

fn names() -> Vec<&'static str> {
    Backend::available().into_iter().map(Backend::name).collect()
}

#[test]
fn names_are_unique_and_find_their_backend() {
    let names = names();
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
    for name in names {
        let backend = Backend::by_name(name).unwrap();
        assert_eq!(backend.name(), name);
        assert_eq!(backend.to_string(), name);
        assert_eq!(format!("{backend:?}"), format!("Backend({name:?})"));
    }
    for name in ["", "Portable", "portable ", "avx1024"] {
        assert!(Backend::by_name(name).is_none(), "{name:?}");
    }
}

#[test]
fn the_best_is_first_and_portable_last() {
    let names = names();
    assert_eq!(Backend::detect().name(), names[0]);
    assert_eq!(Backend::default().name(), names[0]);
    assert_eq!(names.last(), Some(&"portable"));
}

#[test]
fn widths_are_what_they_are_called() {
    for backend in Backend::available() {
        let widths = [backend.x16(), backend.x8(), backend.x4()].map(|kernel| kernel.map(LaneKernel::lanes));
        assert_eq!(widths, [widths[0].map(|_| 16), widths[1].map(|_| 8), widths[2].map(|_| 4)], "{backend}");
        let widest = widths.into_iter().flatten().max().unwrap_or(1);
        assert_eq!(backend.widest().lanes(), widest, "{backend}");
    }
    assert_eq!(LaneKernel::PORTABLE.lanes(), 1);
}

#[test]
fn backends_have_the_kernels_of_their_names() {
    for backend in Backend::available() {
        let widths = [backend.x16(), backend.x8(), backend.x4()].map(|kernel| kernel.is_some());
        let (expected, has_sha) = match backend.name() {
            "avx512+sha" => ([true, true, false], true),
            "avx512" => ([true, true, false], false),
            "avx512x16" => ([true, false, false], false),
            "avx512x8" => ([false, true, false], false),
            "avx2+sha" => ([false, true, false], true),
            "avx2" => ([false, true, false], false),
            "sha-ni" => ([false; 3], true),
            "sse4.2" | "sse2" | "neon" | "simd128" => ([false, false, true], false),
            "sse4.2+sha" | "neon+sha2" => ([false, false, true], true),
            "portable" => ([false; 3], false),
            name => panic!("unknown backend {name}"),
        };
        assert_eq!((widths, backend.sha().is_some()), (expected, has_sha), "{backend}");
        let is_avx512 = backend.name().starts_with("avx512");
        assert_eq!(backend.widest().is_avx512(), is_avx512, "{backend}");
    }
}

#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
#[test]
fn what_the_cpu_has_is_found() {
    use std::arch::is_x86_feature_detected as has;

    let has_sse4_2 = has!("sse4.2") && has!("popcnt");
    let has_avx2 = has_sse4_2 && has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt");
    // Of the instruction sets that Ice Lake and Zen 4 brought together these are the telling ones.
    let has_avx512 = has_avx2
        && has!("avx512f")
        && has!("avx512vl")
        && has!("avx512bw")
        && has!("avx512dq")
        && has!("avx512vbmi2")
        && has!("gfni")
        && has!("vaes");
    let has_sha = has!("sha") && has!("ssse3") && has!("sse4.1");
    let expected: Vec<&str> = [
        ("avx512+sha", has_avx512 && has_sha),
        ("avx512", has_avx512),
        ("avx512x16", has_avx512),
        ("avx512x8", has_avx512),
        ("avx2+sha", has_avx2 && has_sha),
        ("avx2", has_avx2),
        ("sse4.2+sha", has_sse4_2 && has_sha),
        ("sha-ni", has_sha),
        ("sse4.2", has_sse4_2),
        ("sse2", has!("sse2")),
        ("portable", true),
    ]
    .into_iter()
    .filter_map(|(name, is_there)| is_there.then_some(name))
    .collect();
    assert_eq!(names(), expected);
}

#[cfg(all(feature = "std", target_arch = "aarch64"))]
#[test]
fn what_the_cpu_has_is_found() {
    let expected: &[&str] = if std::arch::is_aarch64_feature_detected!("sha2") {
        &["neon+sha2", "neon", "portable"]
    } else {
        &["neon", "portable"]
    };
    assert_eq!(names(), expected);
}
