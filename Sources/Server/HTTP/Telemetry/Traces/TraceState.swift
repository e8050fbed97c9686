// SPDX-License-Identifier: Apache-2.0

/// What tracing systems on the way told one another (`tracestate`, W3C Trace Context §3.3). Passed on as it came and
/// never read: it is the caller's text, so it goes into no log.
package struct TraceState: Sendable, Hashable {
  /// §3.3.1.1.
  static let membersMax = 32
  /// Longer ones are dropped; the standard asks for 512 characters at least.
  static let lengthMax = 4096

  /// The list without its empty members; empty without any.
  package let text: String

  package init() { text = "" }

  /// 1. Members are parted by commas, with spaces and tabs around them; an empty member is skipped (§3.3.1.1).
  /// 2. A member is `key=value`, 32 of them at most, no key twice (§3.3.1.3).
  ///
  /// - Returns: nil when any member is damaged: then none can be trusted.
  package init?(parsing header: String) {
    guard header.utf8.count <= Self.lengthMax else { return nil }
    let members = header.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: true)
      .map(Self.trimmed).filter { !$0.isEmpty }
    guard members.count <= Self.membersMax else { return nil }
    var keys: Set<String> = []
    for member in members {
      guard let equals = member.firstIndex(of: UInt8(ascii: "=")), Self.isKey(member[..<equals]),
        Self.isValue(member[(equals + 1)...]),
        keys.insert(String(decoding: member[..<equals], as: UTF8.self)).inserted
      else { return nil }
    }
    text = members.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
  }

  private static func trimmed(_ member: Substring.UTF8View.SubSequence) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let bytes = Array(member).drop(while: isSpace)
    return bytes.reversed().drop(while: isSpace).reversed().dropFirst(0)
  }

  /// A simple key: a letter, then up to 255 of `a–z 0–9 _ - * /`. A tenant's: up to 241, beginning with a letter or a
  /// digit, `@`, and up to 14 that begin with a letter (§3.3.1.3.1).
  private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    let parts = key.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.allSatisfy(isKeyByte) }) else { return false }
    switch parts.count {
    case 1: return isLetter(key.first) && key.count <= 256
    case 2:
      let (tenant, system) = (parts[0], parts[1])
      return (isLetter(tenant.first) || isDigit(tenant.first)) && tenant.count <= 241 && isLetter(system.first)
        && system.count <= 14
    default: return false
    }
  }

  /// 1 to 256 printable characters without comma and equals sign, the last one no space (§3.3.1.3.2).
  private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
    guard (1...256).contains(value.count), value.last != 0x20 else { return false }
    return value.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
  }

  private static func isLetter(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }
}
