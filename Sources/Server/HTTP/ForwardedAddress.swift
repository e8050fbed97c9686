// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Kit

/// Which header a trusted proxy writes the client's address into.
package enum ForwardedHeader: String, Sendable, CaseIterable {
  case xForwardedFor = "x-forwarded-for"
  /// RFC 7239.
  case forwarded

  var name: HTTPField.Name { Self.names[self == .forwarded ? 0 : 1] }
  private static let names = [HTTPField.Name("Forwarded")!, HTTPField.Name("X-Forwarded-For")!]
}

/// The client's address as the proxy next to this server wrote it: the last entry of its header.
enum ForwardedAddress {
  /// - Parameter header: the one that the proxy writes. A client can add the other one.
  /// - Returns: the canonical address; `ClientNetwork.unknown` for an entry that is not one or that hides it; nil when no
  ///   header came.
  static func of(_ fields: HTTPFields, header: ForwardedHeader) -> String? {
    fields[values: header.name].last.map { address(in: $0, header) ?? ClientNetwork.unknown }
  }

  private static func address(in line: String, _ header: ForwardedHeader) -> String? {
    let comma = UInt8(ascii: ",")
    // No address has a comma in it: a quotation mark that a client leaves open in X-Forwarded-For hides nothing.
    let last = header == .forwarded ? parts(of: line, separatedBy: comma)?.last : text(behindLast: comma, of: line)
    guard let entry = last, entry.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7e).contains($0) }) else { return nil }
    guard header == .forwarded else { return unquoted(entry).flatMap(node) }
    guard let pairs = parts(of: entry, separatedBy: UInt8(ascii: ";")), pairs.allSatisfy(isPair) else { return nil }
    let named = pairs.filter { $0.prefix(4).lowercased() == "for=" }
    return named.count == 1 ? unquoted(String(named[0].dropFirst(4))).flatMap(node) : nil
  }

  /// `token "=" value`, or nothing (RFC 7239 §4). Values are not looked at: proxies write hosts with ports unquoted.
  private static func isPair(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "=") else { return text.isEmpty }
    return HTTPField.Name(String(text[..<equals])) != nil
  }

  /// `nodename [":" node-port]` (RFC 7239 §6), and IPv6 without brackets as `X-Forwarded-For` has it.
  private static func node(_ text: Substring) -> String? {
    // No zone (RFC 4007 §11): it would be cut off, with whatever a client wrote into it.
    guard !text.contains("%") else { return nil }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      let host = text[text.index(after: text.startIndex)..<end]
      return host.contains(":") ? IPAddress(host)?.description : nil
    }
    guard let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") else {
      return IPAddress(text)?.description
    }
    return isPort(text[colon...]) ? IPAddress(text[..<colon])?.description : nil
  }

  /// Nothing, or a colon with five digits at most or an obfuscated port (§6.3).
  private static func isPort(_ text: Substring) -> Bool {
    guard let colon = text.utf8.first else { return true }
    let port = text.utf8.dropFirst()
    guard colon == UInt8(ascii: ":"), let first = port.first else { return false }
    guard first == UInt8(ascii: "_") else { return port.count <= 5 && port.allSatisfy(isDigit) }
    return port.count > 1
      && port.allSatisfy { isDigit($0) || (65...90).contains($0 & 0xdf) || "._-".utf8.contains($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func text(behindLast separator: UInt8, of text: String) -> String {
    let start = text.utf8.lastIndex(of: separator).map { text.utf8.index(after: $0) } ?? text.startIndex
    return text[start...].withoutOptionalWhitespace
  }

  /// What stands between separators outside of quoted strings (RFC 9110 §5.6.4), without the white space around it. By
  /// bytes: a client may end its text with a scalar that forms one character with the comma that its proxy appends.
  /// - Returns: nil when a quoted string does not end: a client wrote it, to hide what its proxy appended.
  private static func parts(of text: String, separatedBy separator: UInt8) -> [String]? {
    var (parts, start) = ([String](), text.startIndex)
    var (isQuoted, isEscaped) = (false, false)
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == separator {
        parts.append(text[start..<index].withoutOptionalWhitespace)
        start = text.utf8.index(after: index)
      }
    }
    return isQuoted ? nil : parts + [text[start...].withoutOptionalWhitespace]
  }

  /// A token as it is, or what a quoted string holds. Nothing in an address is escaped.
  private static func unquoted(_ text: String) -> Substring? {
    guard text.first == "\"" else { return text[...] }
    guard text.count >= 2, text.last == "\"" else { return nil }
    return text.dropFirst().dropLast()
  }
}
