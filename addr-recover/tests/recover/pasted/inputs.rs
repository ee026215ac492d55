//! What people and programs write around an address, and how they spell it.

const LOWER: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";
const UPPER: &str = "1LBCFR7SAHTD9CGDQO3HTMTKV8LK4ZNX71";
const UNREADABLE: &str = "1Lbcfr7sAHTD9Cgd?o3HTMTkV8LK4ZnX71";
const SET: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7ZT]nX71";

const P2SH: &str = "3D2oetdNuZUqQHPJmcMDDHYoqkyNVsFk9r";
const P2SH_LOWER: &str = "3d2oetdnuzuqqhpjmcmddhyoqkynvsfk9r";

/// An address of the usual 34 characters.
pub(super) const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";

/// Addresses of 33 and 35 characters.
pub(super) const SHORTER: &str = "1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp";
pub(super) const LONGER: &str = "t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLbs";

/// What is pasted, and what is read if not [`ADDRESS`].
pub(super) const PASTED: &[(&str, Option<&str>)] = &[
    // Characters as numbers.
    ("&#49;&#x4c;bcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7&#X31;", None),
    ("\\x31\\x4cbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7\\u0031", None),
    // White space.
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("  1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\t", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\n", None),
    ("1Lbc  fr7s AHTD\t9Cgd Qo3H TMTk  V8LK 4ZnX 71 ", None),
    ("1Lbcf r7sAH TD9Cg dQo3H TMTkV 8LK4Z nX71", None),
    ("1 Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7 1", None),
    ("\u{a0}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\u{a0}", None),
    ("1Lbcfr7sAHTD9Cgd\u{2009}Qo3HTMTk\u{202f}V8LK4ZnX71", None),
    ("\u{3000}1Lbcfr7sAHTD9Cgd\u{2003}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\r\n  Qo3HTMTkV8LK4ZnX71\r\n", None),
    ("1Lbcfr7sAHTD9Cgd\u{2028}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD\n9CgdQo3HTMTk\nV8LK4ZnX71", None),
    // A piece that is as long as an address could be.
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4\nZnX71", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX\n71", None),
    ("1Lbcf\nr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    // Invisible characters.
    ("\u{feff}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7s\u{200b}AHTD9CgdQo3H\u{200d}TMTkV8LK4ZnX71", None),
    ("\u{202a}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\u{202c}", None),
    // Dashes.
    ("1Lbc - fr7s - AHTD - 9Cgd - Qo3H - TMTk - V8LK - 4ZnX - 71", None),
    ("1Lbcfr7s\u{2013}AHTD9Cgd\u{2014}Qo3HTMTk\u{2010}V8LK4ZnX\u{2212}71", None),
    ("1Lbcfr7sAHTD9Cgd-\nQo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{2010}\r\nQo3HTMTkV8LK4ZnX71", None),
    // Quotation marks and brackets.
    ("'1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71'", None),
    ("\u{201c}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\u{201d}", None),
    ("\u{2018}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\u{2019}", None),
    ("«1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71»", None),
    ("(\"1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\")", None),
    ("\u{201c}1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71\u{201d}", None),
    // Punctuation that follows.
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71;", None),
    ("\"1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\",", None),
    ("1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71,", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71,0.5,2014-02-03", None),
    // Labels.
    ("BTC:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("btc 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("BTC 1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp", Some(SHORTER)),
    ("address 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("Address: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("Bitcoin address: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("Bitcoin address 1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71", None),
    ("BTC: 1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71", None),
    ("BTC address:\n\u{201c}1Lbc-fr7s-AHTD-9Cgd-Qo3H-TMTk-V8LK-4ZnX-71\u{201d}", None),
    ("Zcash: t1Hs c1LR 8yKn bbe3 twRp 88p6 vFfC 5t7D Lbs", Some(LONGER)),
    // Other words.
    ("pay 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("to 1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp", Some(SHORTER)),
    ("2 1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp", Some(SHORTER)),
    ("to 1dice8emzmqkvrge4qc9buff9px3xaydp", Some("1dice8emzmqkvrge4qc9buff9px3xaydp")),
    // Words as long as an address, together.
    ("1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp, where all of my savings are until today", Some(SHORTER)),
    ("where my savings are until today, 1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 71", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 # my savings", None),
    ("> 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    // URLs.
    ("bitcoin:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71?amount=0.1&label=a%20b", None),
    ("bitcoin:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71?amount=1&label=two words", None),
    ("<bitcoin:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71>", None),
    ("bitcoin:1Lbcfr7sAHTD9Cgd\nQo3HTMTkV8LK4ZnX71?", None),
    ("see https://example.org/address/1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71.", None),
    ("https://example.org/address/1Lbcfr7sAHTD9Cgd\nQo3HTMTkV8LK4ZnX71", None),
    (
        "https://example.org/1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71/1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp",
        None,
    ),
    (
        "see https://example.org/1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71/\
         1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp",
        None,
    ),
    // Damage that the text marks.
    ("1Lbc fr7? AHTD 9Cgd Qo3H TMTk V8LK 4ZnX 7?", Some("1Lbcfr7?AHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("BTC: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("BTC:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("wallet:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("Адрес:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("litecoin:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71?", None),
    (
        "1Lbc fr7s AHTD 9Cgd Qo3H TMTk V8LK 4[7ZT]nX 71",
        Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7ZT]nX71"),
    ),
    ("1Lbcfr7sAHTD9Cgd_o3HTMTkV8LK4ZnX71", Some(UNREADABLE)),
    ("1Lbcfr7sAHTD9Cgd*o3HTMTkV8LK4ZnX71", Some(UNREADABLE)),
    ("1Lbcfr7sAHTD9Cgd.o3HTMTkV8LK4ZnX71", Some(UNREADABLE)),
    ("1L.cfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", Some("1L?cfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV.LK4ZnX71", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV?LK4ZnX71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn.71.", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71.The next", None),
    ("1Lbcfr7sAHTD9Cgd？o3HTMTkV8LK4ZnX71", Some(UNREADABLE)),
    ("1Lbc fr7s AHTD 9Cgd *o3H TMTk V8LK 4ZnX 71", Some(UNREADABLE)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7_", Some("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX7?")),
    ("_Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", Some("?Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71")),
    ("1Lbcfr7sAHTD9Cgd***HTMTkV8LK4ZnX71", Some("1Lbcfr7sAHTD9Cgd???HTMTkV8LK4ZnX71")),
    ("it is 1Lbcfr7sAHTD9Cgd____MTkV8LK4ZnX71", Some("1Lbcfr7sAHTD9Cgd????MTkV8LK4ZnX71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4(7/Z/T)nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4( 7 / Z / T )nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4(7|Z|T)nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4{7,Z,T}nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4{7ZT}nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7/Z/T]nX71", Some(SET)),
    ("see 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7, Z, T]nX71.", Some(SET)),
    // Hidden characters.
    ("1Lbcfr...4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr…4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr ... 4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr[...]4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("to: 1Lbcfr….4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("paid to 1Lbcfr...4ZnX71 yesterday", Some("1Lbcfr…4ZnX71")),
    ("paid to 1Lbcfr... yesterday", Some("1Lbcfr…")),
    ("https://example.org/1Lbcfr...4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr . . . 4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTk...", Some("1Lbcfr7sAHTD9CgdQo3HTMTk…")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71...", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 ... thanks", None),
    ("... 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 …", None),
    // Emphasis and links.
    ("my address: _1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71_.", None),
    ("* 1dice8emzmqkvrge4qc9buff9px3xaydp", Some("1dice8emzmqkvrge4qc9buff9px3xaydp")),
    ("[1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71](https://example.org/x)", None),
    ("[1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71](bitcoin:1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71)", None),
    ("see [my page](https://example.org/1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71) for more", None),
    // Other alphabets.
    ("１Ｌｂｃｆｒ７ｓＡＨＴＤ９ＣｇｄＱｏ３ＨＴＭＴｋＶ８ＬＫ４ＺｎＸ７１", None),
    ("１Ｌｂｃ　ｆｒ７ｓ　ＡＨＴＤ　９Ｃｇｄ　Ｑｏ３Ｈ　ＴＭＴｋ　Ｖ８ＬＫ　４ＺｎＸ　７１", None),
    ("1Lb\u{441}fr7s\u{410}HTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7s\u{391}\u{397}TD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("\u{412}\u{422}\u{421} 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9CgdQo\u{417}HTMTkV8LK4ZnX71", None),
    ("\u{1d7cf}\u{1d40b}\u{1d41b}cfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("¹Lbcfr7sAHTD9CgdQo³HTMTkV8LK⁴ZnX₇1", None),
    // The same address twice.
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n", None),
    // Groups of one case.
    ("1LBC FR7S AHTD 9CGD QO3H TMTK V8LK 4ZNX 71", Some(UPPER)),
    ("1lbc fr7s ahtd 9cgd qo3h tmtk v8lk 4znx 71", Some(LOWER)),
    ("BITCOIN:1LBCFR7SAHTD9CGDQO3HTMTKV8LK4ZNX71", Some(UPPER)),
    ("1LBC-FR7S-AHTD-9CGD-QO3H-TMTK-V8LK-4ZNX-71", Some(UPPER)),
    // Rare white space, dashes and invisible characters.
    ("1Lbcfr7sAHTD9Cgd\u{2007}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{205f}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{b}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{85}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{2029}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{2011}Qo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd-\n\nQo3HTMTkV8LK4ZnX71", None),
    ("1Lbcfr7sAHTD9Cgd\u{2060}Qo3HTMTkV8LK4ZnX71", None),
    // Other quotation marks and brackets.
    ("«\u{a0}1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\u{a0}»", None),
    ("‹1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71›", None),
    ("「1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71」。", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71，", None),
    ("＜1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71＞", None),
    // Divided, in running text.
    ("Please send to 1Lbcfr7sAHTD9Cgd-\nQo3HTMTkV8LK4ZnX71 soon", None),
    ("Please pay to 1lbc fr7s ahtd 9cgd qo3h tmtk v8lk 4znx 71 today", Some(LOWER)),
    ("Please pay to 3D2oetdNuZUqQHP\nJmcMDDHYoqkyNVsFk9r today.", Some(P2SH)),
    ("Please pay to 3d2o etdn uzuq qhpj mcmd dhyo qkyn vsfk 9r today", Some(P2SH_LOWER)),
    ("please pay to 3d2oetdnuzuqqhpjm\ncmddhyoqkynvsfk9r to day", Some(P2SH_LOWER)),
    ("1Lbcfr7sAHTD9Cgd\nQo3HTMTkV8LK4ZnX71\nthanks", None),
    ("1lbcfr7sahtd9cgd\nqo3htmtkv8lk4znx71\nthanks", Some(LOWER)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK\n4ZnX71 is mine", None),
    ("1lbcfr7sahtd9cgdqo3htmtkv8lk\n4znx71 is mine", Some(LOWER)),
    ("it is 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7 to me", Some("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7")),
    ("> 1lbcfr7sahtd9cgd\n> qo3htmtkv8lk4znx71", Some(LOWER)),
    (">> pay to 1Lbcfr7sAHTD9Cgd\n>> Qo3HTMTkV8LK4ZnX71 now", None),
    // The end of a sentence.
    ("1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71!", Some(LOWER)),
    ("My address: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71! Thanks", None),
    ("is it 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71?", Some(LOWER)),
    ("is it 1dice8EMZmqKvrGE4Qc9bUFf9PX3xaYDp?", Some(SHORTER)),
    ("t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLb?", Some("t1Hsc1LR8yKnbbe3twRp88p6vFfC5t7DLb?")),
    ("znYHqyumkLY3zVwgaHq3sbtHXuP8GxsNws?", Some("znYHqyumkLY3zVwgaHq3sbtHXuP8GxsNws?")),
    ("₿1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    ("アドレスは1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71です", None),
    ("地址是1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71。", None),
    // Alternatives.
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4(7 or Z or T)nX71", Some(SET)),
    ("1Lbcf[or]7sAHTD9CgdQo3HTMTkV8LK4ZnX71", Some("1Lbcf[or]7sAHTD9CgdQo3HTMTkV8LK4ZnX71")),
    ("1Lbcfr(7 OR Z)sAHTD9CgdQo3HTMTkV8LK4ZnX71", Some("1Lbcfr[7Z]sAHTD9CgdQo3HTMTkV8LK4ZnX71")),
    ("1Lbcfr7/ZsAHTD9CgdQo3HTMTkV8LK4ZnX71", Some("1Lbcfr[7Z]sAHTD9CgdQo3HTMTkV8LK4ZnX71")),
    ("see 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK47/Z/TnX71.", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7 Z T]nX71", Some(SET)),
    ("1Lbcfr(7)sAHTD9CgdQo3HTMTkV8LK(4)ZnX71", None),
    // A foreign character is an unreadable one.
    ("1Lbcfr7sAHTD9Cgdはo3HTMTkV8LK4ZnX71", Some(UNREADABLE)),
    ("1Lbc fr7s AHTD 9C!d Qo3H TMTk V8LK 4ZnX 71", Some("1Lbcfr7sAHTD9C?dQo3HTMTkV8LK4ZnX71")),
    // Programs write it.
    ("\"1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\";\"0.5\"", None),
    ("To:\t1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\tAmount:\t0.5", None),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\nLabel: savings\nBalance: 0.5", None),
    ("From: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\r\nDate: 2014-02-03 10:11:12\r\n", None),
    ("bitcoin://1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    // People write it.
    ("Send BTC to: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 (my savings), thanks", None),
    ("`1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71`.", None),
    ("***1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71***", None),
    ("==> 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71 <-- my address", None),
    ("биткоин: 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", None),
    (
        "1Lb\u{441}fr7\u{455}\u{410}\u{41d}\u{422}D9CgdQ\u{43e}3\
         \u{41d}\u{422}\u{41c}\u{422}kV8LK4Zn\u{425}71",
        None,
    ),
    // Other spellings of damage.
    ("1Lbcfr⋯4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr(…)4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr.....4ZnX71", Some("1Lbcfr…4ZnX71")),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4[7|Z|T]nX71", Some(SET)),
    ("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4{7/Z/T}nX71", Some(SET)),
];
