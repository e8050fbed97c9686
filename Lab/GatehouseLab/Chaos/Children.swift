// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Programs that this one started. Each is told in a file, so that the script around us can end them if we cannot.
final class Children: Sendable {
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: String
  private let running = Mutex<[Int32]>([])

  init(folder: String) { self.folder = folder }

  /// Starts a program whose output goes to a log of that name.
  /// - Parameter input: what it reads; nothing when nil.
  func start(
    _ path: String, _ arguments: [String], log name: String, environment: [String: String] = [:], output: Pipe? = nil,
    input: Pipe? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let log = try Self.appending("\(folder)/\(name).log")
    process.standardError = log
    process.standardOutput = output ?? log
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    let id = process.processIdentifier
    running.withLock { $0.append(id) }
    try Self.appending("\(folder)/pids").write(contentsOf: Data("\(id)\n".utf8))
    return process
  }

  /// Runs a program to its end.
  /// - Returns: its exit status and what it printed.
  func run(_ path: String, _ arguments: [String], log: String) throws -> (status: Int32, output: Data) {
    let pipe = Pipe()
    let process = try start(path, arguments, log: log, output: pipe)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    wait(process)
    return (process.terminationStatus, output)
  }

  /// Foundation sees the end of a program by a socket that the program's own children inherit: it would wait for a
  /// server that was left behind. So everything that was inherited is closed first.
  private static let closing =
    #"for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done; exec "$@""#

  /// Runs a program to its end, which may leave programs of its own behind.
  /// - Returns: its exit status.
  func finish(_ path: String, _ arguments: [String], log: String) throws -> Int32 {
    let process = try start("/bin/bash", ["-c", Self.closing, "finish", path] + arguments, log: log)
    wait(process)
    return process.terminationStatus
  }

  /// As if the machine had taken it away.
  func kill(_ process: Process) {
    Glibc.kill(process.processIdentifier, SIGKILL)
    wait(process)
  }

  /// In good order.
  func terminate(_ process: Process) {
    Glibc.kill(process.processIdentifier, SIGTERM)
    wait(process)
  }

  private func wait(_ process: Process) {
    process.waitUntilExit()
    running.withLock { $0.removeAll { $0 == process.processIdentifier } }
  }

  func killAll() {
    for id in running.withLock({ $0 }) { Glibc.kill(id, SIGKILL) }
  }

  private static func appending(_ path: String) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    guard let handle = FileHandle(forWritingAtPath: path) else { throw NotStarted(description: "no log at \(path)") }
    try handle.seekToEnd()
    return handle
  }
}
