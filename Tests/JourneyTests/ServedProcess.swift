// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// The built program, serving in a process of its own on free ports.
final class ServedProcess {
  /// Where the build put `gatehouse`: beside the test bundle.
  static let program: URL? = {
    let folders =
      Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [
        Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent(),
      ].compactMap { $0 }
    return folders.map { $0.appending(path: "gatehouse") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  static let missing = "the program is not beside the tests: swift build --product gatehouse makes it"

  /// Milliseconds of silence after which a line that is waited for is given up.
  private static let silenceMax: Int32 = 300_000

  private let process = ChildProcess()
  private let folder: TestFolder
  /// Where its data is.
  let data: String
  private let log = Pipe()
  private var isDrained = false
  private var lines: [String] = []
  private var unread = Data()

  /// - Parameters:
  ///   - data: the folder of another one that it works with; nil is a folder of its own.
  ///   - variables: settings of the environment.
  ///   - port: 0 is any.
  init(graceSeconds: Int, data: String? = nil, variables: [String: String] = [:], port: UInt16 = 0) throws {
    folder = try TestFolder()
    self.data = data ?? folder.file("data")
    process.executableURL = try #require(Self.program)
    process.arguments = ["serve", "--port", "\(port)", "--data", self.data]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "GATEHOUSE_LOG_FORMAT": "json", "GATEHOUSE_OPERATIONS_PORT": "0",
        "GATEHOUSE_DRAIN_GRACE_SECONDS": "\(graceSeconds)",
      ].merging(variables) { _, new in new }
    ) { _, new in new }
    process.standardError = log
    try process.run()
  }

  /// Reads the log until a line of that message names its port.
  func port(_ message: String) throws -> UInt16 {
    try #require(try hear(message)["port"].flatMap { UInt16($0) })
  }

  /// Reads the log until a line has that message.
  @discardableResult
  func hear(_ message: String) throws -> [String: String] {
    var waiting = pollfd(fd: log.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      for line in lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        if let object, object["message"] == message { return object }
      }
      let isMore = poll(&waiting, 1, Self.silenceMax) == 1
      try #require(isMore, "nothing came after \(lines), and \(message) was waited for")
      let more = log.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the program ended: \(lines)")
      unread += more
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        lines.append(String(decoding: unread[unread.startIndex..<end], as: UTF8.self))
        unread = unread[unread.index(after: end)...]
      }
    }
  }

  /// Reads the log from now on and forgets it: a program that serves much would wait for a reader.
  ///
  /// A thread that ends with the program, not a handler of the file's: that one is a source of events of an open file,
  /// which must not be closed, nor read by anybody else, before it is gone, and that moment is unknown.
  func drain() {
    isDrained = true
    let file = log.fileHandleForReading
    Thread.detachNewThread { while !file.availableData.isEmpty {} }
  }

  var isRunning: Bool { process.isRunning }

  func terminate() { process.terminate() }

  /// Stops it where it is, until it is killed.
  func pause() { Glibc.kill(process.processIdentifier, SIGSTOP) }

  func hangUp() { Glibc.kill(process.processIdentifier, SIGHUP) }

  /// - Returns: what the program left with; nil when a signal ended it.
  func wait() -> Int32? {
    // Its log must not fill the pipe.
    if !isDrained { _ = try? log.fileHandleForReading.readToEnd() }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }

  func kill() {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
  }
}
