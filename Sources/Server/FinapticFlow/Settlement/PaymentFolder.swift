// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Payments

/// A folder through which messages come and go (decision 117): `inbox`, `processing`, `done`, `failed` and `outbox`.
///
/// A file in `inbox` is whole: the program that puts it there renames it into place. It is moved to `processing` before
/// it is read, and to `done` or `failed` afterwards. One that a program left in `processing` when it died is taken up
/// first: what of it was booked is known by its rows, so that nothing is lost and nothing is booked twice. Two programs
/// on one folder do no harm either.
package struct PaymentFolder: Sendable {
  /// Of a file, in bytes: what the reader takes.
  private static let bytesMax = 64 << 20

  let messages: IncomingMessages
  let outgoing: OutgoingPayments
  let path: String

  package init(_ path: String, messages: IncomingMessages, outgoing: OutgoingPayments) {
    (self.path, self.messages, self.outgoing) = (path, messages, outgoing)
  }

  /// What became of a file: what it brought, or why it is in `failed`.
  package struct Report: Sendable, Equatable {
    package let name: String
    package let outcome: IncomingMessages.Outcome?
    /// Never what stands in the file.
    package let fault: String?
  }

  /// The files that were taken, how many went into `outbox`, and how many messages could not be written.
  package struct Run: Sendable, Equatable {
    package var files: [Report] = []
    package var written = 0
    package var deadLettered = 0

    /// How many files went into `failed`.
    package var failed: Int { files.count { $0.fault != nil } }
  }

  /// Takes every file that is there, and writes those that other banks are to get into `outbox`.
  /// - Parameter told: gets each file's report when the file is where it belongs.
  /// - Throws: what the store or the disk failed with; the file stays in `processing` then.
  package func run(
    of tenant: Int, by actor: String, told: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Run {
    var run = Run()
    for name in ["inbox", "processing", "done", "failed", "outbox"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for name in try Self.files(in: "\(path)/processing") {
      if let report = try await take(name, of: tenant, by: actor, told) { run.files.append(report) }
    }
    for name in try Self.files(in: "\(path)/inbox") {
      let target = Self.free(name, in: "\(path)/processing")
      guard try Self.move("\(path)/inbox/\(name)", to: "\(path)/processing/\(target)") else { continue }
      if let report = try await take(target, of: tenant, by: actor, told) { run.files.append(report) }
    }
    run.written = try await outgoing.write(of: tenant, into: "\(path)/outbox", by: actor)
    run.deadLettered = try await outgoing.deadLettered(of: tenant).count
    return run
  }

  /// - Returns: nil when another program took the file.
  private func take(
    _ name: String, of tenant: Int, by actor: String, _ told: @Sendable (Report) -> Void
  ) async throws -> Report? {
    let file = "\(path)/processing/\(name)"
    // Nil when another program took it away. What is open stays readable, wherever it is moved.
    guard let handle = FileHandle(forReadingAtPath: file) else { return nil }
    defer { try? handle.close() }
    let report: Report
    do {
      guard try handle.seekToEnd() <= Self.bytesMax else {
        throw Problem(.payloadTooLarge, "too-large", "The file has more than \(Self.bytesMax >> 20) MiB.")
      }
      report = Report(name: name, outcome: try await messages.take(.open(handle), of: tenant, by: actor), fault: nil)
    } catch {
      guard let reason = Self.reason(error) else { throw error }
      report = Report(name: name, outcome: nil, fault: reason)
    }
    let target = "\(path)/\(report.fault == nil ? "done" : "failed")"
    if try Self.move(file, to: "\(target)/\(Self.free(name, in: target))") { told(report) }
    return report
  }

  /// Why a file is put aside; nil for what the store or the disk failed with, after which it is taken up again.
  static func reason(_ error: any Error) -> String? {
    switch error {
    case let fault as MessageFault where fault != .unreadable: fault.description
    case let problem as Problem where problem != .unexpected && problem != .unavailable:
      "\(problem.code): \(problem.detail)"
    default: nil
    }
  }

  /// Names of the files of a folder, in order; hidden ones are still being written.
  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// - Returns: false when another program was faster.
  private static func move(_ source: String, to target: String) throws -> Bool {
    do {
      try DurableFile.move(source, to: target)
      return true
    } catch let error as POSIXError where error.code == .ENOENT { return false }
  }

  /// A name that no file of a folder has: other banks use names again.
  private static func free(_ name: String, in folder: String) -> String {
    var (free, number) = (name, 1)
    while FileManager.default.fileExists(atPath: "\(folder)/\(free)") {
      number += 1
      free = "\(name).\(number)"
    }
    return free
  }
}
