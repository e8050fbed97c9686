// SPDX-License-Identifier: Apache-2.0

/// The only metadata that reaches the log: each key with the shape that its value must have. A key that is not here, or
/// a value of another shape, is written as `[withheld]`.
///
/// A new key is a line here, and a thought about what could ever stand in its value.
package enum LogVocabulary {
  enum Shape {
    /// A small number, shorter than a code with its separators or a phone number.
    case number
    /// A UUID, or 16 or 32 hexadecimal digits, not all of them decimal: ids that programs made.
    case identifier
    /// One word of ours, with three digits at most: a type, a topic, a route pattern.
    case name
    /// What a store's engine says, as `Logger.Metadata.error` writes it: one word of letters, digits and marks.
    case reason
    /// A host, address or file name of the operator's own configuration.
    case address
    /// An instant of the operator's own configuration, as RFC 3339 writes it in UTC with whole seconds.
    case instant
  }

  static let shapes: [String: Shape] = [
    // Requests
    "correlation": .identifier, "method": .name, "route": .name, "status": .number, "ms": .number,
    "hb.request.id": .identifier, "trace_id": .identifier, "span_id": .identifier,
    // What the program does by itself
    "topic": .name, "id": .identifier, "job": .name, "error": .name, "store.reason": .reason, "attempts": .number,
    "count": .number, "tenant": .number, "account": .identifier, "duty": .name,
    "source": .name, "check": .name, "seconds": .number, "seen": .number, "young": .number, "referenced": .number,
    "deleted": .number, "unfinished": .number, "values": .number, "objects": .number, "unreadable": .number,
    // The process
    "host": .address, "file": .address, "end": .instant, "port": .number, "version": .name, "variable": .name,
    "waiver": .name, "sl-service": .name, "sl-signal": .name,
  ]

  /// Every key that may be logged.
  package static var keys: Set<String> { Set(shapes.keys) }

  static let withheld = "[withheld]"

  /// What may be written of a value.
  static func admitted(_ value: String, for key: String) -> String {
    guard let shape = shapes[key], fits(value.utf8, shape) else { return withheld }
    return shape == .name || shape == .reason ? LogScrubber.scrubbed(value) : value
  }

  private static func fits(_ value: String.UTF8View, _ shape: Shape) -> Bool {
    switch shape {
    case .number: (1...9).contains(value.count) && value.allSatisfy { isDigit($0) || $0 == 0x2d || $0 == 0x2e }
    case .identifier: isHex(value) || isUUID(value)
    case .name:
      (1...128).contains(value.count) && value.allSatisfy { (0x21...0x7e).contains($0) }
        && value.count(where: isDigit) < 4
    case .reason:
      (1...200).contains(value.count)
        && value.allSatisfy { isDigit($0) || isLetter($0) || "-_.:,()<>".utf8.contains($0) }
    case .address:
      (1...253).contains(value.count)
        && value.allSatisfy { isDigit($0) || isLetter($0) || "-.:[]%_".utf8.contains($0) }
    case .instant:
      value.count == 20
        && zip(value, "0000-00-00T00:00:00Z".utf8).allSatisfy { isDigit($1) ? isDigit($0) : $0 == $1 }
    }
  }

  private static func isHex(_ value: String.UTF8View) -> Bool {
    (value.count == 16 || value.count == 32) && value.allSatisfy(isHexDigit) && !value.allSatisfy(isDigit)
  }

  private static func isUUID(_ value: String.UTF8View) -> Bool {
    value.count == 36
      && value.enumerated().allSatisfy {
        [8, 13, 18, 23].contains($0.offset) ? $0.element == 0x2d : isHexDigit($0.element)
      }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}
