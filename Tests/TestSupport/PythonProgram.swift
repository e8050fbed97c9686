// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program in Python that plays a server for tests. It is told what to do in lines, and answers in lines.
package struct PythonProgram: Sendable {
  private let orders: FileHandle
  private let answers: FileHandle

  package init(_ text: String, arguments: [String] = []) throws {
    let (orders, answers) = (Pipe(), Pipe())
    let process = Self.process(["-c", text] + arguments)
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    (self.orders, self.answers) = (orders.fileHandleForWriting, answers.fileHandleForReading)
  }

  package func say(_ line: String) throws { try orders.write(contentsOf: Data("\(line)\n".utf8)) }

  /// The next line of its output.
  package func line() -> String {
    var bytes = Data()
    while let byte = try? answers.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) { bytes += byte }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Ends its standard input.
  package func stop() { try? orders.close() }

  /// Whether Python is installed and this text runs without an error.
  package static func succeeds(_ text: String) -> Bool {
    let process = process(["-c", text])
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }
}
