// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

/// A `multipart/form-data` body (RFC 7578), small and whole in memory.
package struct MultipartForm: Sendable {
  static let partsMax = 16
  static let headersMax = 4096

  // Compiled once: that takes 0.1 ms each, matching some microseconds. `Regex` is not Sendable because one may hold
  // closures; these hold none.
  private nonisolated(unsafe) static let boundaryParameter = /boundary="?([0-9A-Za-z'()+_,.\/:=?-]{1,70})"?/
  private nonisolated(unsafe) static let fileField = /(?i)content-disposition:[^\r\n]*;[ \t]*filename\*?=/
    .matchingSemantics(.unicodeScalar)
  private nonisolated(unsafe) static let nameField =
    /(?i)content-disposition:[ \t]*form-data;[^\r\n]*?\bname="([^"\r\n]{1,64})"/.matchingSemantics(.unicodeScalar)

  private var parts: [String: Data] = [:]

  /// - Throws: `Problem` invalid-json when the body is no such form, or when a part that is no file has more combining
  ///   marks in a row than a stream-safe text has (UAX #15 §13).
  package init(_ body: RequestContent) throws {
    let malformed = Problem(.badRequest, "invalid-json", "The body is not a multipart form.")
    guard let boundary = Self.boundary(body.contentType) else { throw malformed }
    let bytes = body.bytes
    let delimiter = Data("\r\n--\(boundary)".utf8)
    // The first delimiter has no line break before it.
    guard bytes.starts(with: delimiter.dropFirst(2)) else { throw malformed }
    var position = bytes.startIndex + delimiter.count - 2
    while true {
      let rest = bytes[position...]
      if rest.starts(with: Data("--".utf8)) { return }
      guard rest.starts(with: Data("\r\n".utf8)), parts.count < Self.partsMax,
        let headerEnd = rest.prefix(Self.headersMax).range(of: Data("\r\n\r\n".utf8)),
        let partEnd = Self.range(of: delimiter, in: bytes[(headerEnd.upperBound - 2)...]),
        partEnd.lowerBound >= headerEnd.upperBound - 2,
        StreamSafeText.isSafe(utf8: rest[..<headerEnd.lowerBound])
      else { throw malformed }
      guard let field = Self.disposition(String(decoding: rest[..<headerEnd.lowerBound], as: UTF8.self)),
        let name = Self.name(field), parts[name] == nil
      else { throw malformed }
      // A part without content shares its line break with the delimiter.
      let part = Data(bytes[headerEnd.upperBound..<max(headerEnd.upperBound, partEnd.lowerBound)])
      guard Self.isFile(field) || StreamSafeText.isSafe(utf8: part) else {
        throw Problem(
          .badRequest, "invalid-json",
          "A part of the form has more than \(StreamSafeText.nonStartersMax) combining marks in a row.")
      }
      parts[name] = part
      position = partEnd.upperBound
    }
  }

  package subscript(_ name: String) -> Data? { parts[name] }

  /// A part as text; nil when it is not UTF-8, is not stream-safe, or holds a NUL, which no store keeps and JSON bodies
  /// may not have either.
  package func text(_ name: String) -> String? {
    parts[name].flatMap { $0.contains(0) || !StreamSafeText.isSafe(utf8: $0) ? nil : String(data: $0, encoding: .utf8) }
  }

  /// - Throws: `Problem` unknown-field.
  package func refuseParts(except known: Set<String>) throws {
    let unknown = Set(parts.keys).subtracting(known)
    guard unknown.isEmpty else {
      throw Problem(.badRequest, "unknown-field", "The form has parts that this call does not know.")
    }
  }

  /// The first place of a delimiter, which has one carriage return, its first byte. `Data.range(of:)` looks at each
  /// byte by itself, on a thread that answers requests.
  private static func range(of delimiter: Data, in bytes: Data) -> Range<Data.Index>? {
    let offset: Int? = bytes.withUnsafeBytes { all in
      delimiter.withUnsafeBytes { wanted in
        guard let start = all.baseAddress, let wantedStart = wanted.baseAddress else { return nil }
        var at = 0
        while all.count - at >= wanted.count, let found = memchr(start + at, Int32(wanted[0]), all.count - at) {
          at = UnsafeRawPointer(found) - start
          guard all.count - at >= wanted.count else { return nil }
          if memcmp(start + at, wantedStart, wanted.count) == 0 { return at }
          at += 1
        }
        return nil
      }
    }
    return offset.map { (bytes.startIndex + $0)..<(bytes.startIndex + $0 + delimiter.count) }
  }

  private static func boundary(_ contentType: String?) -> String? {
    contentType?.firstMatch(of: boundaryParameter).map { String($0.1) }
  }

  /// The line that says what a part is (RFC 7578 §4.2). Expressions look at it from its beginning alone: one that is
  /// tried at each place of headers of 4 KiB takes 165 ms, and a form has sixteen of them.
  private static func disposition(_ headers: String) -> Substring? {
    let name = "content-disposition:"
    // By scalars: as characters, a line break of two would slip through.
    let lines = headers.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map { Substring($0) }
    // Without an expression: headers of 4 KiB have room for two thousand lines.
    return lines.first { $0.prefix(name.count).lowercased() == name }
  }

  /// Whether a part says that it is a file (RFC 7578 §4.2), whose content is bytes.
  private static func isFile(_ disposition: Substring) -> Bool {
    disposition.prefixMatch(of: fileField) != nil
  }

  private static func name(_ disposition: Substring) -> String? {
    disposition.prefixMatch(of: nameField).map { String($0.1) }
  }
}
