// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeWire

/// What a device may say when it connects, on both wires.
enum EnrolmentRules {
  private static let urlMax = 2048
  private static let platformMax = 32
  private static let queryMax = 1024
  /// An address that the token may go to: by a scheme that the bank's operator allows, or of the bank's own hosts.
  /// - Throws: `Problem` WrongRequestFormat.
  static func returnURL(_ text: String, of provider: SaltEdgeProvider) throws -> String {
    guard text.utf8.count <= urlMax, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !text.contains("#"),
      let scheme = text.firstMatch(of: #/^([A-Za-z][A-Za-z0-9+.\-]*):/#).map({ $0.1.lowercased() }),
      provider.returnSchemes.contains(scheme) || scheme == "https" && isOwnPage(text, of: provider)
    else { throw Problem.wrongFormat }
    return text
  }

  /// Host and port are those of the bank's sign-in page or of its server, spelt as there but for the case of letters:
  /// of other spellings, such as a port that is no number of 16 bits, readers of addresses make different things.
  private static func isOwnPage(_ text: String, of provider: SaltEdgeProvider) -> Bool {
    guard let authority = authority(text) else { return false }
    return [provider.loginURL, provider.baseURL].contains { page in
      page.flatMap(Self.authority) == authority
    }
  }

  /// What stands between `https://` and the path, in lower case; nil for what is no such address.
  private static func authority(_ text: String) -> String? {
    guard LinkQuery.webURL(text) != nil, !text.contains("\\"), text.prefix(8).lowercased() == "https://" else {
      return nil
    }
    return text.dropFirst(8).prefix { $0 != "/" && $0 != "?" }.lowercased()
  }

  /// - Throws: `Problem` WrongRequestFormat.
  static func platform(_ text: String) throws -> String {
    guard (1...platformMax).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw Problem.wrongFormat
    }
    return text
  }

  /// Null, empty and absent are the same.
  /// - Throws: `Problem` WrongRequestFormat.
  static func pushToken(_ text: String?) throws -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count <= SaltEdgePolicy.pushTokenMax else { throw Problem.wrongFormat }
    return text
  }

  /// Null, empty and absent are the same.
  /// - Throws: `Problem` WrongRequestFormat.
  static func connectQuery(_ text: String?) throws -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count <= queryMax else { throw Problem.wrongFormat }
    return text
  }

  /// A payload of the right form; the server cannot read it.
  /// - Throws: `Problem` WrongRequestFormat.
  static func payload(_ payload: SaltEdge.Ciphertext) throws {
    guard (1...SaltEdgePolicy.payloadMax).contains(payload.data.utf8.count),
      (1...4096).contains(payload.key.utf8.count),
      (1...4096).contains(payload.iv.utf8.count)
    else { throw Problem.wrongFormat }
  }

  /// A bank's name for an action or a consent: it goes into URLs.
  /// - Throws: `Problem` WrongRequestFormat.
  static func reference(_ text: String) throws -> String {
    guard text.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._~\-]{0,127}/#) != nil else { throw Problem.wrongFormat }
    return text
  }

  /// RFC 3339, or `2026-11-21 07:22:16 UTC`, as banks written in Ruby say it (§7.3).
  /// - Throws: `Problem` WrongRequestFormat for anything else, for the past, and for what lies too far ahead.
  static func expiry(_ text: String, after now: Instant, atMost longest: Duration) throws -> Instant {
    var spelling = text
    if let parts = text.wholeMatch(of: #/(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) UTC/#) {
      spelling = "\(parts.1)T\(parts.2)Z"
    }
    guard let instant = Instant(rfc3339: spelling), instant > now, instant <= now + longest else {
      throw Problem.wrongFormat
    }
    return instant
  }
}
