//! Tests which backends this machine can run.

use std::collections::HashSet;

use hash_lanes::Backend;
use hash_lanes::engine::{Kernel, KernelSet, LaneKernel, ShaExtensions};

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
        let backend = name.parse::<Backend>().unwrap();
        assert_eq!(backend.name(), name);
        assert_eq!(backend.to_string(), name);
        assert_eq!(format!("{backend:?}"), format!("Backend({name:?})"));
    }
    for name in ["", "Portable", "portable ", "avx1024", "avx512x32", "shax", "sha-x1"] {
        assert!(name.parse::<Backend>().is_err(), "{name:?}");
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
fn the_default_cannot_be_set_after_its_first_use() {
    let used = Backend::detect();
    assert_eq!(used.set_default(), Ok(()));
    for backend in Backend::available().into_iter().filter(|&backend| backend != used) {
        assert_eq!(backend.set_default().unwrap_err().current, used);
    }
    assert_eq!(Backend::detect(), used);
}

#[test]
fn backends_have_the_kernels_of_their_names() {
    for backend in Backend::available() {
        let kernels: Vec<&str> = backend.kernels().map(Kernel::name).collect();
        let avx512 = ["avx512x16x2", "avx512x16", "avx512x8"];
        let neon = ["neonx4x2", "neonx4"];
        let sha = ["shax4", "shax3", "shax2", "shax1"];
        let mut expected = match backend.name() {
            "avx512+sha" => [&avx512[..], &sha].concat(),
            "avx512" => avx512.to_vec(),
            "avx2+sha" => [&["avx2x8"][..], &sha].concat(),
            "avx2" => vec!["avx2x8"],
            "sse2+sha" => [&["sse2x4"][..], &sha].concat(),
            "sha-ni" => sha.to_vec(),
            "sse2" => vec!["sse2x4"],
            "neon+sha2" => [&neon[..], &sha].concat(),
            "neon" => neon.to_vec(),
            "simd128" => vec!["simd128x4"],
            "portable" => vec![],
            name => panic!("unknown backend {name}"),
        };
        if backend.name().starts_with("avx") {
            expected.push("bmix1");
        }
        expected.push("portable");
        assert_eq!(kernels, expected, "{backend}");
        assert_eq!(backend.sha().is_some(), kernels.contains(&"shax1"), "{backend}");
        let widest = backend.kernels().find(|&kernel| KernelSet::SINGLE_GROUPS.contains(kernel));
        assert_eq!(Some(backend.widest().kernel()), widest, "{backend}");
    }
    assert_eq!(LaneKernel::PORTABLE.lanes::<u32>(), 1);
}

#[test]
fn single_kernels_match_the_kernels_of_the_backends() {
    let single = Backend::single_kernels();
    for kernel in Backend::available().into_iter().flat_map(Backend::kernels) {
        let is_there = single.iter().any(|backend| backend.kernels().next() == Some(kernel));
        assert_eq!(is_there, kernel != Kernel::Portable, "{kernel:?}");
    }
    for backend in single {
        let kernels: Vec<Kernel> = backend.kernels().collect();
        assert_eq!(kernels[1..], [Kernel::Portable], "{backend}");
        assert_eq!(backend.name(), kernels[0].name());
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(
            backend.pass::<ShaExtensions>(kernels[0]).messages::<u32>(),
            kernels[0].messages::<u32>()
        );
    }
}

#[test]
#[should_panic(expected = "backend portable has no kernel sse2x4")]
fn pass_of_a_missing_kernel() {
    let _ = "portable".parse::<Backend>().unwrap().pass::<ShaExtensions>(Kernel::Sse2x4);
}

#[cfg(all(feature = "std", any(target_arch = "x86", target_arch = "x86_64")))]
#[test]
fn detection_finds_what_the_cpu_has() {
    use std::arch::is_x86_feature_detected as has;

    let has_avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt");
    // The features that distinguish the AVX-512 of Ice Lake and Zen 4 from earlier ones.
    let has_avx512 = has_avx2
        && has!("avx512f")
        && has!("avx512vl")
        && has!("avx512bw")
        && has!("avx512dq")
        && has!("avx512vbmi2")
        && has!("gfni")
        && has!("vaes");
    let has_sha = has!("sha") && has!("sse4.1");
    let expected: Vec<&str> = [
        ("avx512+sha", has_avx512 && has_sha),
        ("avx512", has_avx512),
        ("avx2+sha", has_avx2 && has_sha),
        ("avx2", has_avx2),
        ("sse2+sha", has!("sse2") && has_sha),
        ("sha-ni", has_sha),
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
fn detection_finds_what_the_cpu_has() {
    let expected: &[&str] = if std::arch::is_aarch64_feature_detected!("sha2") {
        &["neon+sha2", "neon", "portable"]
    } else {
        &["neon", "portable"]
    };
    assert_eq!(names(), expected);
}
