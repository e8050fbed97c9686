// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HTTPTypes
import Kit
import NIOCore

/// The bytes of a request, read but not yet understood: a step checks its order before it looks at its body.
package struct RequestContent: Sendable {
  package let bytes: Data
  /// Asked once a body is there, before it is handed on: its sender was proved before it came, which may be long ago.
  @TaskLocal package static var whenRead: BodyCheck?

  /// Media type without parameters, lower case; nil when none was given.
  package let mediaType: String?
  /// The `Content-Type` field as it came.
  package let contentType: String?

  package init(bytes: Data, contentType: String? = "application/json") {
    self.bytes = bytes
    self.contentType = contentType
    mediaType = contentType?.split(separator: ";").first.map { $0.withoutOptionalWhitespace.lowercased() }
  }

  /// Reads up to `limit` bytes. What proves the caller without the body comes before.
  /// - Parameter subject: the caller, where one caller's large bodies are to leave room for those of others.
  /// - Throws: `Problem` payload-too-large; unavailable when the node has no room; request-timeout; client-gone; and
  ///   what `whenRead` throws.
  package init(_ request: Request, limit: Int, from subject: String? = nil) async throws {
    try Self.requireLength(of: request, atMost: limit)
    self = try await BodyReading.$current.withValue(BodyReading(limit: limit, subject: subject)) {
      try await RequestContent(reading: request, limit)
    }
    // Also of an empty one: its end may come as late as any other.
    try await Self.whenRead?.ask()
  }

  private init(reading request: Request, _ limit: Int) async throws {
    var bytes = Data()
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > 0 {
      bytes.reserveCapacity(Self.reserved(for: length))
    }
    for try await piece in request.body {
      guard bytes.count + piece.readableBytes <= limit else { throw Problem.payloadTooLarge }
      piece.withUnsafeReadableBytes { bytes.append($0.bindMemory(to: UInt8.self)) }
    }
    self.init(bytes: bytes, contentType: request.headers[.contentType])
  }

  /// Bytes that are reserved for a body before any of it has come. A small one grows as it comes: its memory is a piece
  /// of a heap that others have used, so that all of it counts at once, and a client that says 64 KiB may send a byte a
  /// second. A larger one has its place in the budget, and its memory counts as it is written to.
  static func reserved(for length: Int) -> Int { length > BodyBudget.smallMax ? length : min(length, reservedMax) }

  private static let reservedMax = 4096

  /// Refuses a body that says itself that it is too large, before any of it is read.
  /// - Throws: `Problem` payload-too-large.
  package static func requireLength(of request: Request, atMost limit: Int) throws(Problem) {
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit else { return }
    throw Problem.payloadTooLarge
  }

  /// Whether a request may have a body that takes a place of its own in the node's memory. What needs no body is proved
  /// before such a one is read, at the price of another look into the store.
  /// - Parameter isStream: whether it came on a stream of HTTP/2, where no field tells of a body without a length
  ///   (RFC 9113 §8.1.1).
  package static func mayBeLarge(_ request: Request, isStream: Bool) -> Bool {
    let length = request.headers[.contentLength].flatMap { Int($0) }
    return length.map { $0 > BodyBudget.smallMax } ?? request.mayHideLength(isStream: isStream)
  }

  /// The body as JSON of a known shape; an empty body reads as `{}`.
  /// - Throws: `Problem` invalid-json, unknown-field, validation-failed or unsupported-media.
  package func decode<Value: Decodable>(as type: Value.Type) throws -> Value {
    guard mediaType == nil || mediaType == "application/json" || bytes.isEmpty else { throw Problem.unsupportedMedia }
    return try StrictJSON.decode(type, from: bytes.isEmpty ? Data("{}".utf8) : bytes)
  }
}

extension Request {
  /// Whether a body may come that does not tell its length, or not as a number. In HTTP/2 no field tells that there is
  /// one (RFC 9113 §8.1.1).
  func mayHideLength(isStream: Bool) -> Bool {
    headers[.contentLength].flatMap { Int($0) } == nil && (isStream || headers.contains(.transferEncoding))
  }
}

extension Problem {
  package static let payloadTooLarge = Problem(
    .payloadTooLarge, "payload-too-large", "The request is larger than this call accepts.")
  package static let unsupportedMedia = Problem(
    .unsupportedMedia, "unsupported-media", "This media type is not accepted here.")
}
