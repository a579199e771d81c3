//! The command `karat`.

use std::process::ExitCode;

// Two threads that collect a list a line spend their time in the system allocator's locks; see docs/dependencies.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    karat::run(karat_suites::suites::ALL)
}
