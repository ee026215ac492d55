//! Verifies the objects of git packs: one at a time, as git and gitoxide do, and in batches.
//!
//! ```sh
//! cargo run --release -p hashlanes-examples --example git_objects -- .git/objects/pack/*.idx
//! ```
//!
//! `gix-pack` decodes the objects in both cases, on one thread. Both ways hash each object with
//! collision detection, and compare its digest with its name in the index. Name a way, `one` or
//! `batches`, before the packs to run only that.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use gix_hash::ObjectId;
use gix_pack::index::traverse::{Algorithm, Options, SafetyCheck};
use gix_utils::progress::Discard;
use sha1_multi::checked;

/// The number of bytes of objects that are hashed together. They stay in the second-level cache.
const BATCH_BYTES: usize = 512 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut packs: Vec<String> = std::env::args().skip(1).collect();
    let mut ways = vec!["one", "batches"];
    if let Some(way) = ways.iter().copied().find(|way| packs.first().is_some_and(|it| it == way)) {
        ways = vec![way];
        packs.remove(0);
    }
    if packs.is_empty() {
        return Err("usage: git_objects [one|batches] PACK.idx...".into());
    }
    for pack in &packs {
        for way in &ways {
            let begin = Instant::now();
            let (objects, wrong) =
                if *way == "one" { one_at_a_time(pack)? } else { in_batches(pack)? };
            let seconds = begin.elapsed().as_secs_f64();
            println!(
                "{way}: {objects} objects in {seconds:.2} s, {:.0} a second, {} wrong",
                objects as f64 / seconds,
                wrong.len()
            );
            wrong.iter().for_each(|name| println!("{name}"));
        }
    }
    Ok(())
}

/// The number of objects of a pack, and the names of those that have another digest, or in which a
/// collision was found. `gix-pack` verifies each object while it decodes the pack.
fn one_at_a_time(pack: &str) -> Result<(usize, Vec<ObjectId>), Box<dyn Error>> {
    let objects = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&objects);
    // The first wrong object ends it.
    traverse(pack, SafetyCheck::SkipFileChecksumVerification, move |_, _, _| {
        *counted.lock().unwrap() += 1;
    })?;
    let objects = *objects.lock().unwrap();
    Ok((objects, Vec::new()))
}

/// [`one_at_a_time`] in batches: `gix-pack` only decodes the objects.
fn in_batches(pack: &str) -> Result<(usize, Vec<ObjectId>), Box<dyn Error>> {
    let batch = Arc::new(Mutex::new(Batch::default()));
    let filled = Arc::clone(&batch);
    let check = SafetyCheck::SkipFileAndObjectChecksumVerification;
    traverse(pack, check, move |kind, bytes, name| {
        filled.lock().unwrap().add(kind, bytes, name);
    })?;
    let mut batch = batch.lock().unwrap();
    batch.verify();
    Ok((batch.verified, std::mem::take(&mut batch.wrong)))
}

/// Objects to verify together.
#[derive(Default)]
struct Batch {
    /// The headers and the bytes of the objects.
    bytes: Vec<u8>,
    /// Where each object ends, and its name.
    objects: Vec<(usize, ObjectId)>,
    verified: usize,
    wrong: Vec<ObjectId>,
}

impl Batch {
    fn add(&mut self, kind: gix_object::Kind, bytes: &[u8], name: ObjectId) {
        // An object that is large is in a batch with others that are not.
        self.bytes.extend_from_slice(&gix_object::encode::loose_header(kind, bytes.len() as u64));
        self.bytes.extend_from_slice(bytes);
        self.objects.push((self.bytes.len(), name));
        if self.bytes.len() >= BATCH_BYTES {
            self.verify();
        }
    }

    fn verify(&mut self) {
        let begins = std::iter::once(0).chain(self.objects.iter().map(|object| object.0));
        let messages =
            begins.zip(&self.objects).map(|(begin, object)| &self.bytes[begin..object.0]);
        for (checked, (_, name)) in checked::hash_many(messages).iter().zip(&self.objects) {
            if checked.digest().ok().as_ref().map(|digest| &digest[..]) != Some(name.as_slice()) {
                self.wrong.push(*name);
            }
        }
        self.verified += self.objects.len();
        self.bytes.clear();
        self.objects.clear();
    }
}

/// Calls `object` for each object of a pack, on one thread.
fn traverse(
    pack: &str,
    check: SafetyCheck,
    mut object: impl FnMut(gix_object::Kind, &[u8], ObjectId) + Send + Clone,
) -> Result<(), Box<dyn Error>> {
    let bundle = gix_pack::Bundle::at(Path::new(pack), gix_hash::Kind::Sha1)
        .map_err(|error| format!("{pack}: {error}"))?;
    let options = Options {
        traversal: Algorithm::DeltaTreeLookup,
        thread_limit: Some(1),
        check,
        ..Options::default()
    };
    let result = bundle.index.traverse(
        &bundle.pack,
        &mut Discard,
        &AtomicBool::new(false),
        move |kind, bytes, entry, _| {
            object(kind, bytes, entry.oid);
            Ok(())
        },
        options,
    );
    result.map(|_| ()).map_err(|error| format!("{pack}: {error}").into())
}
