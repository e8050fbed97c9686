// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// What a reader does with one picture: the same in this process and in a worker.
enum EvidenceTask: Codable, Sendable {
  case inspectDocument
  case inspectPhoto(ImageLimits)
  case inspectFace
  case read(expected: DocumentKind?, on: String)
  case readIdentifiers(ImageLimits)
  case readSecureScreen(ImageLimits)
}

/// A task on its way to a worker.
struct EvidenceRequest: Codable {
  var task: EvidenceTask
  var bytes: Data
}

/// A worker's answer: one of the three.
struct EvidenceReply<Value: Codable>: Codable {
  var value: Value?
  var problem: ImageProblem?
  /// The reason of a `CVisionFailure`.
  var failure: String?

  init(_ work: () throws -> Value) {
    do { value = try work() } catch let problem as ImageProblem { self.problem = problem } catch let error
      as CVisionFailure
    { failure = error.reason } catch { failure = "\(type(of: error))" }
  }

  func get() throws -> Value {
    if let value { return value }
    if let problem { throw problem }
    throw CVisionFailure(reason: failure ?? "an answer without a value")
  }
}

struct InspectedDocument: Codable, Sendable {
  var image: EvidenceImage
  var quality: ImageQuality
}

struct InspectedPhoto: Codable, Sendable {
  var image: EvidenceImage
  var quality: PhotoQuality
}

struct InspectedFace: Codable, Sendable {
  var image: EvidenceImage
  var quality: ImageQuality
  var faces: FaceReport
}

struct ReadCode: Codable, Sendable {
  var digits: String?
}

/// Messages between this process and a worker: a length of four bytes, big-endian, and a binary property list, which
/// carries pictures as they are.
struct WorkerChannel {
  let input: Int32
  let output: Int32
  /// A server must not be ended by a worker that is gone (SIGPIPE), and a worker may only `write`.
  let isServer: Bool

  /// A picture of the largest size that is taken, decoded and encoded anew, has less.
  private static let bytesMax = 256 << 20

  struct Closed: Error {}
  /// The other side did not answer in time.
  struct TimedOut: Error {}

  func send(_ message: some Encodable) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let body = try encoder.encode(message)
    var length = UInt32(body.count).bigEndian
    try withUnsafeBytes(of: &length) { try write($0) }
    try body.withUnsafeBytes { try write($0) }
  }

  /// - Parameter deadline: an instant from which on waiting ends with `TimedOut`; nil to wait for ever.
  func receive<Message: Decodable>(_ type: Message.Type, before deadline: ContinuousClock.Instant? = nil) throws
    -> Message
  {
    let length = try read(4, deadline).reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.bytesMax else { throw Closed() }
    return try PropertyListDecoder().decode(type, from: read(length, deadline))
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let start = rest.base.baseAddress! + rest.startIndex
      let count =
        isServer
        ? Foundation.send(output, start, rest.count, Int32(MSG_NOSIGNAL))
        : Foundation.write(output, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Closed() }
      rest = rest.dropFirst(count)
    }
  }

  private func read(_ count: Int, _ deadline: ContinuousClock.Instant?) throws -> Data {
    var data = Data(count: count)
    var at = 0
    while at < count {
      if let deadline {
        let left = ContinuousClock.now.duration(to: deadline).components
        var waited = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waited, 1, Int32(max(0, min(left.seconds * 1000 + 1, 600_000))))
        if ready < 0, errno == EINTR { continue }
        guard ready > 0 else { throw TimedOut() }
      }
      let got = data.withUnsafeMutableBytes { Foundation.read(input, $0.baseAddress! + at, count - at) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw Closed() }
      at += got
    }
    return data
  }
}
