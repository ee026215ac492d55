//! `batch`.

use crate::{
    ADDRESS, SHORT, TWO, assert_prints, assert_says, code, file, folder, reports, run,
    run_with_input, statuses, stderr, stdout,
};

#[test]
fn a_batch_is_answered_in_the_order_of_its_lines() {
    let lines = [
        "\u{feff}# from the old disk",
        &format!("  {TWO}  "),
        "",
        "\u{a0}\t",
        &format!("\u{201c}{ADDRESS}\u{201d},"),
        "  # the next is unreadable",
        "1lbc!",
        &format!("{SHORT} # mine"),
    ];
    for line_end in ["\n", "\r\n"] {
        let output = run_with_input(["batch"], lines.join(line_end).as_bytes());
        assert_eq!(code(&output), 2);
        let columns = |line: &'_ str| {
            let mut columns = line.split('\t').map(str::to_owned);
            (columns.next().unwrap(), columns.next().unwrap())
        };
        let answers: Vec<(String, String)> = stdout(&output).lines().map(columns).collect();
        let expected = [("2", "several"), ("5", "valid"), ("7", "malformed"), ("8", "unique")];
        assert_eq!(answers, expected.map(|(line, status)| (line.to_owned(), status.to_owned())));
        let notes: Vec<&str> =
            stderr(&output).lines().filter(|line| line.starts_with("note")).collect();
        let expected =
            [format!("note: line 5 read as {ADDRESS}"), format!("note: line 8 read as {SHORT}")];
        assert_eq!(notes, expected);
    }
}

pub(super) const BATCH: &[u8] = b"1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\r\n\n1lbc!fr\n\
    \xff\xfe\n1lbcfr7sahtd9cgdqo3htmtkv8lk4znx72\n\
    1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71\n1lbcfr7sahtd9cgdqo3????kv8lk4znx71\n\
    1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz\n\
    bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n1blogc9ln4opdcrunz3qo1ysa133e9agg8";

pub(super) const STATUSES: &[(u64, &str)] = &[
    (1, "unique"),
    (3, "malformed"),
    (4, "malformed"),
    (5, "none"),
    (6, "valid"),
    (7, "refused"),
    (8, "several"),
    (9, "valid"),
    (10, "unique"),
];

#[test]
fn a_batch_continues_after_bad_lines() {
    let output = run_with_input(["batch", "-", "--json", "--exact"], BATCH);
    assert_eq!(code(&output), 2);
    assert_eq!(statuses(&reports(&output)), STATUSES);
    let summary = stderr(&output).lines().last().unwrap();
    assert!(
        summary.starts_with(
            "9 lines: 2 unique, 2 valid, 1 several, 1 none, 1 refused, 2 malformed. 0.13 addresses"
        ),
        "{summary}"
    );

    let path = file("batch.txt", str::from_utf8(&BATCH[..34]).unwrap());
    let output = run(["batch", path.to_str().unwrap(), "--quiet"]);
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    assert_eq!(stdout(&output), format!("1\tunique\t{SHORT}\t{ADDRESS}\t99.8 %\n"));
    // Windows line endings are not part of the line.
    let output = run_with_input(["batch", "-"], format!("{SHORT}\r\n1lbc!\r\n").as_bytes());
    let error = "2\tmalformed\t(not shown)\tan address has 26 to 36 characters, but 4 were given; \
                 write ? for an unreadable one, and ... for those that are hidden\t\n";
    assert_eq!(stdout(&output), format!("1\tunique\t{SHORT}\t{ADDRESS}\t99.8 %\n{error}"));
    let report = reports(&run_with_input(["batch", "-", "--json"], b"1lbc!\r\n")).remove(0);
    // It may be a part of anything.
    assert_eq!(report["input"], "(not shown)");
}

#[test]
fn a_batch_says_what_its_answers_assume() {
    let repaired = "bc1qw508b6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let batch = format!("{SHORT}\n1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71\n{repaired}\n");
    let output = run_with_input(["batch"], batch.as_bytes());
    assert_eq!(code(&output), 0);
    let mut notes: Vec<&str> = stderr(&output).lines().collect();
    notes.sort();
    assert!(notes[0].starts_with("3 lines: 3 unique. "), "{notes:?}");
    let assumption = "line 2: 2 characters were swapped: ...LK4nZX71 -> ...LK4ZnX71";
    assert_eq!(notes[1], assumption);
    // No Bech32 address has a `b`, so it is as good as unreadable.
    let repair = "line 3: the checksum restores the character at 9, right only if";
    assert!(notes[2].starts_with(repair), "{notes:?}");
    assert_eq!(notes.len(), 3);
    for silent in [["batch", "--json"], ["batch", "--quiet"]] {
        assert!(!stderr(&run_with_input(silent, batch.as_bytes())).contains("line 2"));
    }
}

#[test]
fn a_batch_without_a_search_says_so() {
    let output = run_with_input(["batch", "-"], format!("{ADDRESS}\n").as_bytes());
    assert_eq!(stderr(&output), "1 line: 1 valid. No search was needed.\n");
    for empty in ["", "\n\r\n"] {
        let output = run_with_input(["batch", "-"], empty.as_bytes());
        assert_prints(&output, 2, "");
        assert_eq!(stderr(&output), "error: the batch is empty: expected one address per line\n");
    }
}

/// There may be a hundred thousand lines. Four characters of the first text are wrong. Steps for
/// one in lower case may take 16 times as many hashes as the text as written.
#[test]
fn a_line_without_an_answer_takes_few_hashes() {
    for (text, min, max) in [
        ("1Lbcfr7sAHTD2CgdQo4HTMTkV8mK4Zn271", 1 << 21, 9 << 20),
        (&*SHORT.replace("71", "72"), 1 << 23, 5 << 22),
    ] {
        let report = reports(&run_with_input(["batch", "--json"], text.as_bytes())).remove(0);
        assert_eq!(report["status"], "none");
        assert!((min..max).contains(&report["hashes"].as_u64().unwrap()), "{report}");
        assert!(report["next"]["options"].is_string(), "{report}");
    }
}

#[test]
fn a_line_that_is_too_long_is_named() {
    for unit in [1, 2] {
        let of = |text: &str| {
            text.bytes().flat_map(|byte| [byte, 0].into_iter().take(unit)).collect::<Vec<u8>>()
        };
        let lines = |length: usize| of(&format!("{SHORT}\n\n{}\n{ADDRESS}\n", "x".repeat(length)));
        let max = (1 << 16) / unit;
        let output = run_with_input(["batch", "--quiet"], &lines(max));
        assert_eq!((code(&output), stdout(&output).lines().count()), (2, 3));
        let output = run_with_input(["batch"], &lines(max + 1));
        assert_prints(&output, 2, "");
        assert_eq!(stderr(&output), "error: -: line 3 has more than 65536 bytes\n");
    }
}

/// Whatever its length: a window of lines is in memory, and answers come before the end.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_batch_does_not_grow_with_its_lines() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut command = crate::tool_in(&folder("batch-memory"));
    command.args(["batch", "-", "--quiet"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let id = child.id();
    let peak = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap().to_owned();
        line.split_whitespace().nth(1).unwrap().parse::<i64>().unwrap()
    };
    let (parts, lines) = (3, 8000);
    // A program that answers at the end of its input would wait for this test, which waits for it.
    let limit = std::time::Duration::from_secs(120);
    let mut stdin = child.stdin.take().unwrap();
    let (send, answered) = std::sync::mpsc::channel();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        for line in stdout.lines() {
            // Nobody receives once the test has failed.
            let _ = send.send(line.unwrap());
        }
    });
    let mut peaks = Vec::new();
    for part in 0..parts {
        stdin.write_all(format!("{ADDRESS}\n").repeat(lines).as_bytes()).unwrap();
        // The last lines wait for those after them.
        let answers = |parts: usize| (parts * lines).saturating_sub(4000);
        for at in answers(part)..answers(part + 1) {
            let line = answered.recv_timeout(limit);
            let line =
                line.unwrap_or_else(|_| panic!("no answer to line {} before the end", at + 1));
            assert!(line.starts_with(&format!("{}\tvalid\t{ADDRESS}\t", at + 1)), "{line}");
        }
        peaks.push(peak());
    }
    drop(stdin);
    reader.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    // Every line took 1,250 bytes once.
    assert!(peaks[parts - 1] - peaks[0] < 2048, "KiB: {peaks:?}");
}

/// No line of it ends.
#[cfg(unix)]
#[test]
fn devices_are_not_read() {
    for arguments in
        [&["batch", "/dev/zero"][..], &["--known", "/dev/zero", SHORT], &["merge", "/dev/zero"]]
    {
        let output = run(arguments);
        assert_prints(&output, 2, "");
        assert!(stderr(&output).contains("/dev/zero: not a regular file"), "{}", stderr(&output));
    }
    let zero = std::fs::File::open("/dev/zero").unwrap();
    let output = crate::tool().arg("batch").stdin(zero).output().unwrap();
    assert_prints(&output, 2, "");
    assert_eq!(stderr(&output), "error: -: line 1 has more than 65536 bytes\n");
    let zero = std::fs::File::open("/dev/zero").unwrap();
    let output = crate::tool().arg("key").stdin(zero).output().unwrap();
    assert_prints(&output, 2, "");
    assert!(stderr(&output).starts_with("error: the input has more than 65536 bytes"));
}

/// Shells pass the name of a pipe for `<(...)`. One that has no writer could block for ever.
#[cfg(unix)]
#[test]
fn pipes_that_are_open_are_read() {
    let tool = env!("CARGO_BIN_EXE_addr-recover");
    let lines = format!("{SHORT}\n{ADDRESS}\n");
    let part = run(["--json", "--shard", "1/1", SHORT]);
    for (input, arguments) in [
        (&*lines, "batch --quiet /dev/fd/3"),
        (&lines, "--known /dev/fd/3 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx7?"),
        (stdout(&part), "merge /dev/fd/3"),
    ] {
        let script = format!("cat | '{tool}' {arguments} 3<&0 </dev/null");
        let mut shell = std::process::Command::new("sh");
        let pipes = || std::process::Stdio::piped();
        shell.args(["-c", &script]).stdin(pipes()).stdout(pipes()).stderr(pipes());
        let mut shell = shell.spawn().unwrap();
        std::io::Write::write_all(&mut shell.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = shell.wait_with_output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"));
    }
    let home = folder("batch-pipe");
    let pipe = home.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["batch", "merge"] {
        let output = run([command, pipe.to_str().unwrap()]);
        assert_prints(&output, 2, "");
        assert_says(&output, "to read from a pipe, pass - for standard input");
    }
}

/// A line end within a character of UTF-16 ends no line.
#[test]
fn lines_of_utf_16_end_where_their_characters_do() {
    let text = format!("{SHORT} # \u{a0a}\u{a41}\u{410a}\n{ADDRESS}\n");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let answers = reports(&run_with_input(["batch", "--json"], &bytes));
        assert_eq!(statuses(&answers), [(1, "unique"), (2, "valid")]);
    }
}

/// PowerShell writes UTF-16 with `>`.
#[test]
fn utf_16_is_read() {
    for mark in ["\u{feff}", ""] {
        let text = format!("{mark}{SHORT}\r\n\r\n\u{201c}{ADDRESS}\u{201d}\r\n");
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let output = run_with_input(["batch", "--quiet"], &bytes);
            let answers = format!("1\tunique\t{SHORT}\t{ADDRESS}\t99.8 %\n3\tvalid");
            assert!(stdout(&output).starts_with(&answers), "{}", stdout(&output));
            assert_eq!(code(&run_with_input(["--exact"], &bytes)), 0);
        }
    }
}

/// Lines without an answer might have had a false one, so they count.
#[test]
fn the_summary_counts_what_is_expected_in_all_lines() {
    // Four of 34 characters are unreadable, so of each line 0.3 addresses are expected.
    let line = |at: usize| format!("{}????{}", &ADDRESS[..at], &ADDRESS[at + 4..]);
    let lines: Vec<String> = (4..14).map(|at| line(at).replace("71", "72")).collect();
    let output = run_with_input(["batch", "--exact", "--json"], lines.join("\n").as_bytes());
    let reports = reports(&output);
    let sum: f64 = reports.iter().map(|it| it["expected_by_chance"].as_f64().unwrap()).sum();
    assert!(reports.iter().any(|it| it["status"] == "none"), "{reports:?}");
    assert!(sum > 0.01, "{sum}");
    let summary = stderr(&output).lines().last().unwrap();
    assert!(summary.contains(&format!(". {sum:.2} addresses are expected by chance in 10 lines")));
}
