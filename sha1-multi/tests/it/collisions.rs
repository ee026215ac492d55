//! The published collisions of SHA-1: pairs of messages with the same digest.

/// A message of a collision, which its last block completes.
pub(crate) struct Published {
    pub(crate) name: &'static str,
    pub(crate) message: Vec<u8>,
    /// The digest of both messages of the collision.
    pub(crate) digest: &'static str,
    /// The digest that Stevens' and Shumow's library, git and sha1-checked give to it.
    pub(crate) safe: Option<&'static str>,
}

/// The first 320 bytes of both PDF files of 2017, which are all that differs (Marc Stevens, Elie
/// Bursztein, Pierre Karpman, Ange Albertini, Yarik Markov: "The first collision for full SHA-1").
/// Both messages of the chosen-prefix collision of 2020 (Gaëtan Leurent, Thomas Peyrin: "SHA-1 is
/// a Shambles"), whose safe digests are those of the tests of `sha1-checked`.
pub(crate) fn published() -> [Published; 4] {
    let shattered = |blocks: &str| hex::decode([SHATTERED_PREFIX, blocks].concat()).unwrap();
    let first = "f92d74e3874587aaf443d1db961d4e26dde13e9c";
    let second = "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0";
    [
        Published {
            name: "SHAttered 1",
            message: shattered(SHATTERED_1),
            digest: first,
            safe: None,
        },
        Published {
            name: "SHAttered 2",
            message: shattered(SHATTERED_2),
            digest: first,
            safe: None,
        },
        Published {
            name: "SHA-mbles 1",
            message: hex::decode(SHA_MBLES_1).unwrap(),
            digest: second,
            safe: Some("4f3d9be4a472c4dae83c6314aa6c36a064c1fd14"),
        },
        Published {
            name: "SHA-mbles 2",
            message: hex::decode(SHA_MBLES_2).unwrap(),
            digest: second,
            safe: Some("9ed5d77a4f48be1dbf3e9e15650733eb850897f2"),
        },
    ]
}

/// The three blocks that both PDF files begin with.
const SHATTERED_PREFIX: &str = "\
     255044462d312e330a25e2e3cfd30a0a0a312030206f626a0a3c3c2f57696474682032203020522f486569676874\
     2033203020522f547970652034203020522f537562747970652035203020522f46696c7465722036203020522f43\
     6f6c6f7253706163652037203020522f4c656e6774682038203020522f42697473506572436f6d706f6e656e7420\
     383e3e0a73747265616d0affd8fffe00245348412d3120697320646561642121212121852fec092339759c39b1a1\
     c63c4c97e1fffe01";

/// The two blocks of the first file that collide.
const SHATTERED_1: &str = "\
     7346dc9166b67e118f029ab621b2560ff9ca67cca8c7f85ba84c79030c2b3de218f86db3a90901d5df45c14f26fe\
     dfb3dc38e96ac22fe7bd728f0e45bce046d23c570feb141398bb552ef5a0a82be331fea48037b8b5d71f0e332edf\
     93ac3500eb4ddc0decc1a864790c782c76215660dd309791d06bd0af3f98cda4bc4629b1";

/// The two blocks of the second file that collide.
const SHATTERED_2: &str = "\
     7f46dc93a6b67e013b029aaa1db2560b45ca67d688c7f84b8c4c791fe02b3df614f86db1690901c56b45c1530afe\
     dfb76038e972722fe7ad728f0e4904e046c230570fe9d41398abe12ef5bc942be33542a4802d98b5d70f2a332ec3\
     7fac3514e74ddc0f2cc1a874cd0c78305a21566461309789606bd0bf3f98cda8044629a1";

/// The first message of SHA-mbles.
const SHA_MBLES_1: &str = "\
     99040d047fe81780012000ff4b65792069732070617274206f66206120636f6c6c6973696f6e2120497427732061\
     20747261702179c61af0afcc054515d9274e7307624b1dc7fb23988bb8de8b575dba7b9eab31c1674b6d974378a8\
     27732ff5851c76a2e60772b5a47ce1eac40bb993c12d8c70e24a4f8d5fcdedc1b32c9cf19e31af2429759d42e4df\
     db31719f587623ee552939b6dcdc459fca53553b70f87ede30a247ea3af6c759a2f20b320d760db64ff479084fd3\
     ccb3cdd48362d96a9c430617caff6c36c637e53fde28417f626fec54ed7943a46e5f5730f2bb38fb1df6e0090010\
     d00e24ad78bf92641993608e8d158a789f34c46fe1e6027f35a4cbfb827076c50eca0e8b7cca69bb2c2b790259f9\
     bf9570dd8d4437a3115faff7c3cac09ad25266055c27104755178eaeff825a2caa2acfb5de64ce7641dc59a541a9\
     fc9c756756e2e23dc713c8c24c9790aa6b0e38a7f55f14452a1ca2850ddd9562fd9a18ad42496aa97008f74672f6\
     8ef461eb88b09933d626b4f918749cc027fddd6c425fc4216835d0134d15285bab2cb784a4f7cbb4fb514d4bf0f6\
     237cf00a9e9f132b9a066e6fd17f6c42987478586ff651af96747fb426b9872b9a88e4063f59bb334cc00650f83a\
     80c42751b71974d300fc2819a2e8f1e32c1b51cb18e6bfc4db9baef675d4aaf5b1574a047f8f6dd2ec153a934122\
     93974d928f88ced9363cfef97ce2e742bf34c96b8ef3875676fea5cca8e5f7dea0bab2413d4de00ee71ee01f162b\
     db6d1eafd925e6aebaae6a354ef17cf205a404fbdb12fc454d41fdd95cf2459664a2ad032d1da60a73264075d7f1\
     e0d6c1403ae7a0d861df3fe5707188dd5e07d1589b9f8b6630553f8fc352b3e0c27da80bddba4c64020d";

/// The second message of SHA-mbles.
const SHA_MBLES_2: &str = "\
     99030d047fe81780011800ff50726163746963616c205348412d312063686f73656e2d70726566697820636f6c6c\
     6973696f6e211d276c6ba661e1040e1f7d767f076249ddc7fb332c8bb8c2b7575dbec79eab2be1674b7db34378b4\
     cb732fe1891c76a0260772a5107ce1f6e80bb9977d2d8c68524a4f9d5fcdedcd0b2c9ce19231af26e9759d5250df\
     db2d4d9f58729fee553319b6dccc619fca4fb93b70ec72de30a087ea3ae67359a2ee27320d72b1b64fecc9084fc3\
     ccb3cdd83b62d97a904306150aff6c267237e523e228417bde6fec4ecd7943b44a5f572c1ebb38ef11f6e00bc010\
     d01e90ad78a3be641997dc8e8d0d3a789f24c46fe1eaba7f35b4c7fb8272b6c50edaba8b7cd655bb2c2fc50259e3\
     9f9570cda94437bffd5fafe3cfcac09812526615e827105b79178eaa43825a341a2acfa5de64ce7af9dc59b54da9\
     fc9eb56756f2563dc70ff4c24c932caa6b1418a7f54f30452a004e850dc99962fd98d8ad4259dea97014db4672f2\
     32f461f338b09923d626b4f5a0749cd02bfddd6e825fc431dc35d00f7115285f172cb79e84f7cba4df514d571cf6\
     2368fc0a9e9dd32b9a16da6fd16340429870c4586feee1af96647fb426b53f2b9a98e8063f5b7b334cd0b250f826\
     bcc427550b1974c920fc280986e8f1ffc01b51df14e6bfc61b9baee6c1d4aae99d574a00c38f6dca5c153a834122\
     939bf5928f98c2d9363e3ef97cf25342bf28f56b8ef73b5676e485cca8f5d3dea0a65e413d59ec0ee71c201f163b\
     6f6d1eb3f525e6aa06ae6a2dfef17ce205a404f76312fc554141fddb9cf24586d0a2ad1f111da60ecf26406ff7f1\
     e0c6e5403afb4cd861cb33e5707348dd5e1765589b83a7663051838fc34a03e0c26da80bddb6f464021d";
