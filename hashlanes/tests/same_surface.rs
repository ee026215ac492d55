//! One program for every hash: what a user guesses from one hash is right for all.

#![allow(missing_docs, reason = "the name of a test describes it")]

/// The program, as a test of each hash that is compiled.
macro_rules! same_program {
    ($(
        $feature:literal, $krate:ident, [$($path:tt)+], $Lanes:ident, $bytes:literal
        $(=> $new:ident $New:ident $(, $old:ident $Old:ident)?)?;
    )+) => {$(
        #[cfg(feature = $feature)]
        #[allow(non_snake_case, reason = "the list has names of types")]
        #[test]
        fn $Lanes() {
            use hashlanes::$krate::{Backend, BackendError, HashMany, Parts};
            use hashlanes::$($path)+::{
                ManyHasher, Prefix, hash, hash_concat_many, hash_concat_many_into, hash_many,
                hash_many_into, try_hash_many,
            };

            fn halves<'m>(messages: &'m [&'m str]) -> impl Iterator<Item: Parts> {
                messages.iter().map(|message| message.split_at(message.len() / 2))
            }

            let long = "long ".repeat(100);
            let messages = ["", "abc", &long];
            let digests: Vec<[u8; $bytes]> = messages.iter().map(hash).collect();
            assert_eq!(hash(b"abc"), digests[1]);
            assert_eq!(hash(String::from("abc")), digests[1]);

            assert_eq!(hash_many(messages), digests);
            let mut written = [[0; $bytes]; 3];
            hash_many_into(messages, &mut written);
            assert_eq!(written[..], digests);
            assert_eq!(try_hash_many(messages.map(Ok::<_, ()>)), Ok(digests.clone()));
            assert_eq!(try_hash_many(["abc"].map(Err::<&str, _>)), Err("abc"));
            assert_eq!(hash_concat_many(halves(&messages)), digests);
            let mut written = [[0; $bytes]; 3];
            hash_concat_many_into(halves(&messages), &mut written);
            assert_eq!(written[..], digests);

            let prefix = Prefix::new(long.as_bytes());
            assert_eq!(prefix.hash_many([("abc",)])[0], hash([&long, "abc"].concat()));
            let mut hashers = [ManyHasher::new(3), Prefix::new(b"").many_hasher(3)];
            for hasher in &mut hashers {
                hasher.update_all(&messages);
                assert_eq!(hasher.finalize_one(0), digests[0]);
                hasher.update(0, b"a");
                hasher.update(0, b"bc");
                assert_eq!(hasher.finalize_one(0), digests[1]);
                assert_eq!(hasher.len(), 3);
            }
            assert_eq!(hashers.map(ManyHasher::finalize), [&digests[..]; 2]);

            let portable: Result<Backend, BackendError> = "portable".parse();
            let lanes = hashlanes::$krate::$Lanes::on(portable.unwrap());
            assert_eq!(lanes.backend().to_string(), "portable");
            assert_eq!(lanes.hash("abc"), digests[1]);
            assert_eq!(lanes.hash_many(messages), digests);
            assert_eq!(HashMany::hash_many(&lanes, messages), digests);
            assert_eq!(lanes.try_hash_many(messages.map(Ok::<_, ()>)), Ok(digests.clone()));
            assert_eq!(lanes.hash_concat_many(halves(&messages)), digests);
            assert_eq!(lanes.prefix(b"ab").hash_many([("c",)])[0], digests[1]);
            assert_eq!(lanes.many_hasher(1).finalize()[0], digests[0]);

            #[cfg(feature = "rayon")]
            {
                use hashlanes::$krate::Parallel;

                let messages = messages.repeat(500);
                let digests = digests.repeat(500);
                assert_eq!(Parallel(lanes).hash_many(&messages), digests);
            }
            #[cfg(feature = "files")]
            {
                use hashlanes::$krate::FileError;
                use hashlanes::$($path)+::hash_files;

                let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
                let paths = [path.join("Cargo.toml"), path.join("missing")];
                let expected = hash(std::fs::read(&paths[0]).unwrap());
                for results in
                    [hash_files(&paths), lanes.hash_files(&paths), ManyHasher::hash_files(&paths)]
                {
                    let [found, missing] = <[_; 2]>::try_from(results).unwrap();
                    assert_eq!(found.unwrap(), expected);
                    let missing: FileError = missing.unwrap_err();
                    assert_eq!(missing.path(), paths[1]);
                }
            }
            $({
                use hashlanes::DigestMany;
                use hashlanes::$krate::rustcrypto::$new::$New;

                let many = $New::digest_many(messages);
                assert!(many.iter().zip(&digests).all(|(a, b)| a[..] == b[..]));
                $(
                    #[cfg(feature = "digest-0_10")]
                    {
                        use hashlanes::$krate::rustcrypto::$old::$Old;

                        let many = $Old::digest_many(messages);
                        assert!(many.iter().zip(&digests).all(|(a, b)| a[..] == b[..]));
                    }
                )?
            })?
        }
    )+};
}

hashlanes::each_hash!(same_program);
