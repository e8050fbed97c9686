// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A program in Python that plays a server for tests. It is told what to do in lines, and answers in lines.
package struct PythonProgram: Sendable {
  /// Milliseconds for the next byte of an answer, the first one of which comes after the start of Python.
  private static let answerMax: Int32 = 120_000

  private let orders: FileHandle
  private let answers: FileHandle

  /// - Parameter limit: seconds that it may run for.
  package init(_ text: String, arguments: [String] = [], limit: Int = 600) throws {
    let (orders, answers) = (Pipe(), Pipe())
    let process = Self.process(["-c", text] + arguments, limit: limit)
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    (self.orders, self.answers) = (orders.fileHandleForWriting, answers.fileHandleForReading)
  }

  package func say(_ line: String) throws { try orders.write(contentsOf: Data("\(line)\n".utf8)) }

  /// The next line of its output, or what there is of it when it ends, or says nothing for two minutes.
  package func line() -> String {
    var bytes = Data()
    var waiting = pollfd(fd: answers.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, Self.answerMax) == 1, let byte = try? answers.read(upToCount: 1), !byte.isEmpty,
      byte != Data("\n".utf8)
    { bytes += byte }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Ends its standard input.
  package func stop() { try? orders.close() }

  /// Whether Python is installed and this text runs without an error.
  package static func succeeds(_ text: String) -> Bool {
    let process = process(["-c", text], limit: 600)
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static func process(_ arguments: [String], limit: Int) -> ChildProcess {
    let process = ChildProcess(limit: limit)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }
}
