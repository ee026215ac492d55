//! Single-steps the jobs in a separate process, and tracks where their secrets flow.
//!
//! This covers what Valgrind does not know: AVX-512 and SHA instructions. The CPU must have them.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Add;
use std::os::unix::fs::FileExt as _;
use std::process::{ChildStdout, Command, Stdio};

use iced_x86::{Decoder, DecoderOptions, Mnemonic, Register};
use nix::libc::{SYS_munmap, user_regs_struct};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::jobs;
use crate::taint::{Leak, Step, Taint};

/// The longest instruction of x86.
const INSTRUCTION_BYTES: usize = 15;

/// Avoids what would look like leaks in glibc. With AVX-512 it copies a few bytes with a mask whose
/// value is not followed. It also compares freed memory with the key of its caches, unless the
/// memory goes back to the kernel. A copy by `rep movsb` would make its pointers look secret.
const TUNABLES: &str = "glibc.cpu.hwcaps=-AVX512VL,-AVX512BW,-AVX512F:\
     glibc.malloc.mmap_threshold=1:glibc.cpu.x86_rep_movsb_threshold=100000000";

/// The announcement of the process before it stops at a watched job.
pub(crate) struct Region {
    /// The address of the secret, and its length in bytes.
    pub(crate) secret: (u64, u64),
    pub(crate) leaks: bool,
    pub(crate) name: String,
}

impl Region {
    pub(crate) fn to_line(&self) -> String {
        format!("{} {} {} {}", self.secret.0, self.secret.1, self.leaks, self.name)
    }

    fn from_line(line: &str) -> Self {
        let mut words = line.trim_end().splitn(4, ' ');
        let mut word = || words.next().expect("four words of a region");
        Self {
            secret: (word().parse().expect("an address"), word().parse().expect("a length")),
            leaks: word().parse().expect("true or false"),
            name: word().into(),
        }
    }
}

/// What was found in a region.
#[derive(Default)]
struct Found {
    instructions: u64,
    leaks: BTreeMap<(u64, Leak), u64>,
}

/// The number of instructions followed that Valgrind does not know.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) wide: u64,
    pub(crate) sha: u64,
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wide: self.wide + other.wide, sha: self.sha + other.sha }
    }
}

/// A process that is stopped.
pub(crate) struct Tracer {
    pid: Pid,
    output: BufReader<ChildStdout>,
    memory: File,
    /// Decoded by address.
    steps: HashMap<u64, Step>,
    counts: Counts,
}

/// Keeps this thread, and the processes that it starts, on one of this process's CPUs. At each step
/// the thread or its process waits for the other, and waking another CPU takes several times as
/// long as the step.
pub(crate) fn share_one_cpu(index: usize) {
    // Zero means the calling thread.
    let this = Pid::from_raw(0);
    let is_set = sched_getaffinity(this).and_then(|cpus| {
        let mut ours = (0..CpuSet::count()).filter(|&cpu| cpus.is_set(cpu) == Ok(true));
        let mut one = CpuSet::new();
        one.set(ours.nth(index).unwrap_or(usize::MAX))?;
        sched_setaffinity(this, &one)
    });
    if let Err(error) = is_set {
        println!("single-stepping on several CPUs, which is slower: {error}");
    }
}

/// Runs this program with the argument `traced`, for the jobs of one backend. Returns the number of
/// faulty regions.
#[expect(clippy::zombie_processes, reason = "`waitpid` waits for it")]
pub(crate) fn run(backend: &str) -> (usize, Counts) {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["traced", backend])
        .env("GLIBC_TUNABLES", TUNABLES)
        // Resolving a function at its first call would save registers with secrets, and then look
        // its name up.
        .env("LD_BIND_NOW", "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let pid = Pid::from_raw(child.id().try_into().expect("the number of a process"));
    let mut tracer = Tracer {
        pid,
        output: BufReader::new(child.stdout.take().expect("its output is a pipe")),
        memory: File::open(format!("/proc/{pid}/mem")).expect("its memory"),
        steps: HashMap::new(),
        counts: Counts::default(),
    };
    let mut faults = 0;
    loop {
        let mut signal = None;
        match waitpid(pid, None).expect("the process is a child") {
            WaitStatus::Exited(_, 0) => return (faults, tracer.counts),
            WaitStatus::Stopped(_, Signal::SIGUSR1) => {
                let mut line = String::new();
                tracer.output.read_line(&mut line).expect("a line of the process");
                let region = Region::from_line(&line);
                let found = tracer.follow(&region);
                faults += usize::from(!tracer.report(&region, &found));
            }
            WaitStatus::Stopped(_, other) => signal = Some(other),
            other => panic!("the watched process: {other:?}"),
        }
        ptrace::cont(pid, signal).expect("it goes on");
    }
}

/// The watched process. It stops before and after each watched job.
pub(crate) fn work(backend: &str) {
    ptrace::traceme().expect("the parent watches");
    let mut digests = HashMap::new();
    for job in jobs::all() {
        // All backends must compute the same digest.
        let expected =
            digests.entry(job.name.clone()).or_insert_with(|| (job.hash)(&job.secret(2)));
        // A known leak shows that the tracer works.
        if job.backend != backend && job.name != jobs::CONTROL {
            continue;
        }
        // Data that is initialised once is made from other bytes.
        (job.hash)(&job.secret(1));
        let secret = job.secret(2);
        let name = format!("{:<12} {}", job.backend, job.name);
        let digest = watched(&name, &secret, job.leaks, || (job.hash)(&secret));
        assert_eq!(digest, *expected, "{name}");
    }
}

/// Announces the secret, and runs `work` between two stops.
fn watched<T>(name: &str, secret: &[u8], leaks: bool, work: impl FnOnce() -> T) -> T {
    let region =
        Region { secret: (secret.as_ptr() as u64, secret.len() as u64), leaks, name: name.into() };
    println!("{}", region.to_line());
    std::io::stdout().flush().expect("the parent reads");
    raise(Signal::SIGUSR1).expect("a stop");
    let result = black_box(work());
    raise(Signal::SIGUSR1).expect("a stop");
    result
}

impl Tracer {
    /// The instruction at an address.
    fn step(&mut self, address: u64) -> &Step {
        let memory = &self.memory;
        self.steps.entry(address).or_insert_with(|| {
            let mut bytes = [0; INSTRUCTION_BYTES];
            let count = memory.read_at(&mut bytes, address).expect("code can be read");
            let instruction =
                Decoder::with_ip(64, &bytes[..count], address, DecoderOptions::NONE).decode();
            assert!(!instruction.is_invalid(), "not followed: the bytes {bytes:x?}");
            Step::new(instruction)
        })
    }

    /// Single-steps the process to its next stop.
    fn follow(&mut self, region: &Region) -> Found {
        let mut taint = Taint::default();
        taint.set_secret(region.secret.0, region.secret.1);
        let mut found = Found::default();
        loop {
            let registers = ptrace::getregs(self.pid).expect("its registers");
            let address = registers.rip;
            let instruction = self.step(address).instruction;
            found.instructions += 1;
            let step = &self.steps[&address];
            let leak = taint.follow(step, |register| value(&registers, register));
            self.counts.wide += u64::from(step.is_wide());
            let is_sha =
                matches!(instruction.mnemonic(), Mnemonic::Sha1rnds4 | Mnemonic::Sha256rnds2);
            self.counts.sha += u64::from(is_sha);
            ptrace::step(self.pid, None).expect("it makes a step");
            match waitpid(self.pid, None).expect("the process is a child") {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
                WaitStatus::Stopped(_, Signal::SIGUSR1) => return found,
                other => panic!("the watched process at {address:x}: {other:?}"),
            }
            if instruction.mnemonic() == Mnemonic::Syscall && registers.rax == SYS_munmap as u64 {
                taint.forget(registers.rdi, registers.rsi);
            }
            if let Some(leak) = leak {
                *found.leaks.entry((address, leak)).or_default() += 1;
            }
        }
    }

    /// Prints what was found. Returns whether it is as expected.
    fn report(&self, region: &Region, found: &Found) -> bool {
        let leaks: u64 = found.leaks.values().sum();
        let is_right = (leaks > 0) == region.leaks;
        println!(
            "{:<60} {:>9} instructions, {leaks:>5} leaks{}",
            region.name,
            found.instructions,
            if is_right { "" } else { ": FAULT" }
        );
        if !is_right {
            for (&(address, leak), count) in found.leaks.iter().take(10) {
                println!("    {leak:?}, {count} times, at {}", self.place(address));
            }
        }
        is_right
    }

    /// Function and line of an address in the code.
    fn place(&self, address: u64) -> String {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap_or_default();
        let program = std::env::current_exe().expect("this program");
        let begin = maps.lines().find(|line| line.ends_with(&*program.to_string_lossy()));
        let base = begin.and_then(|line| u64::from_str_radix(line.split('-').next()?, 16).ok());
        let offset = format!("{:#x}", address - base.unwrap_or(0));
        let output = Command::new("addr2line").arg("-Cfpe").arg(program).arg(&offset).output();
        output.map_or(offset, |output| String::from_utf8_lossy(&output.stdout).trim().into())
    }
}

/// The value of a register that an address may be computed from.
fn value(registers: &user_regs_struct, register: Register) -> Option<u64> {
    Some(match register.full_register() {
        Register::RAX => registers.rax,
        Register::RCX => registers.rcx,
        Register::RDX => registers.rdx,
        Register::RBX => registers.rbx,
        Register::RSP => registers.rsp,
        Register::RBP => registers.rbp,
        Register::RSI => registers.rsi,
        Register::RDI => registers.rdi,
        Register::R8 => registers.r8,
        Register::R9 => registers.r9,
        Register::R10 => registers.r10,
        Register::R11 => registers.r11,
        Register::R12 => registers.r12,
        Register::R13 => registers.r13,
        Register::R14 => registers.r14,
        Register::R15 => registers.r15,
        Register::FS => registers.fs_base,
        Register::GS => registers.gs_base,
        Register::None | Register::CS | Register::DS | Register::ES | Register::SS => 0,
        _ => return None,
    })
}
