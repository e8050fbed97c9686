// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation

/// A worker without the server around it, for the tests of the pool. With `--read FILE` it gives up what a worker gives
/// up and leaves with 0 when it can read that file all the same. With `--harm FILE PROCESS` it prints what it can still
/// do to that file and that process, and beyond its limits, line by line. With `--crash-first FILE` the one that makes
/// that file ends by a signal while it has a picture, as a fault of a library would end it; the ones after it work. With
/// `--spin` it computes without end once it has a picture, with a limit of less than a second of the processor, and with
/// `--wait` it waits without end.
@main
struct PageReader {
  static func main() throws {
    if let flag = CommandLine.arguments.firstIndex(of: "--crash-first") {
      crash(first: CommandLine.arguments[flag + 1])
    }
    if CommandLine.arguments.contains("--spin") { try spin() }
    if CommandLine.arguments.contains("--wait") { while true { pause() } }
    if let flag = CommandLine.arguments.firstIndex(of: "--harm") {
      let arguments = CommandLine.arguments[(flag + 1)...]
      guard let file = arguments.first, let process = arguments.last.flatMap(Int32.init) else { exit(2) }
      try EvidenceWorker.confine(readable: [])
      return harm(file, process).forEach { print($0) }
    }
    guard let flag = CommandLine.arguments.firstIndex(of: "--read") else { return try EvidenceWorker.run() }
    try EvidenceWorker.confine(readable: Array(CommandLine.arguments[(flag + 2)...]))
    exit(FileManager.default.contents(atPath: CommandLine.arguments[flag + 1]) == nil ? 1 : 0)
  }

  private static func crash(first file: String) {
    let made = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard made >= 0 else { return }
    close(made)
    takePicture()
    abort()
  }

  private static func spin() throws -> Never {
    takePicture()
    try EvidenceWorker.confine(readable: [])
    try EvidenceWorker.limitProcessor(seconds: 0)
    while true { _ = getpid() }
  }

  /// The settings and the picture: a length of four bytes, big-endian, and so many bytes each.
  private static func takePicture() {
    for _ in 0..<2 {
      let length = take(4).reduce(0) { $0 << 8 | Int($1) }
      _ = take(length)
    }
  }

  /// Names of the calls that succeed. Glibc's overlay leaves four of them out.
  private static func harm(_ file: String, _ process: Int32) -> [String] {
    typealias Limit = @convention(c) (Int32, Int32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> Int32
    typealias Signal = @convention(c) (Int32, Int32, Int32) -> Int32
    typealias Memory = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    typealias Watch = @convention(c) () -> Int32
    var limit = rlimit()
    let prlimit = dlsym(nil, "prlimit").map { unsafeBitCast($0, to: Limit.self) }
    let tgkill = dlsym(nil, "tgkill").map { unsafeBitCast($0, to: Signal.self) }
    let memory = dlsym(nil, "memfd_create").map { unsafeBitCast($0, to: Memory.self) }
    let watch = dlsym(nil, "inotify_init").map { unsafeBitCast($0, to: Watch.self) }
    // More address space than a worker may have. Nothing touches it, so that a small machine would give it.
    let space = mmap(nil, 3 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let answers: [(call: String, answer: Int32?)] = [
      ("socket", socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)), ("memfd_create", memory?("picture", 0)),
      ("inotify_init", watch?()),
      ("truncate", truncate(file, 0)), ("open to empty", open(file, 3 | O_TRUNC)),
      ("open to write", open(file, O_WRONLY)),
      ("chmod", chmod(file, 0o666)), ("chown", chown(file, getuid(), getgid())), ("fcntl", fcntl(1, F_SETOWN, process)),
      ("utimes", utimes(file, nil)), ("kill", kill(process, 0)), ("tgkill", tgkill?(process, process, 0)),
      ("prlimit", prlimit?(process, Int32(RLIMIT_NOFILE.rawValue), nil, &limit)),
      ("setpriority", setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process), 0)),
      ("mmap of 3 GiB", space == MAP_FAILED ? -1 : 0), ("posix_spawn", started("/bin/true") ? 0 : -1),
    ]
    return answers.filter { $0.answer != -1 }.map(\.call)
  }

  private static func started(_ program: String) -> Bool {
    var child = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
    defer { arguments.forEach { free($0) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [nil]
    return posix_spawn(&child, program, nil, nil, &arguments, &variables) == 0
  }

  /// So many bytes of standard input.
  private static func take(_ count: Int) -> [UInt8] {
    var taken: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while taken.count < count {
      let got = read(0, &piece, min(piece.count, count - taken.count))
      guard got > 0 else { exit(1) }
      taken += piece[..<got]
    }
    return taken
  }
}
