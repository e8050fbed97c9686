// SPDX-License-Identifier: Apache-2.0

/// An e-mail address that can be written to: the ASCII dot-string form of RFC 5321 §4.1.2.
///
/// Pragmatic on purpose:
/// 1. at most 254 bytes, 64 before the `@`, 253 after it, 63 in a label (RFC 5321 §4.5.3.1, RFC 1035 §2.3.4);
/// 2. before the `@` RFC 5322 atoms joined by single dots; no quoted strings, no comments;
/// 3. after it a host name of two labels or more whose last is not a number; no address literals;
/// 4. no characters beyond ASCII: an internationalised domain comes as its A-labels.
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
  package let rawValue: String
  /// In lower case.
  package let domain: String

  /// Nil when the text is not such an address.
  package init?(_ text: String) {
    guard text.utf8.count <= 254, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
      let at = text.lastIndex(of: "@")
    else { return nil }
    let local = text[..<at]
    let domain = text[text.index(after: at)...]
    guard (1...64).contains(local.utf8.count), Self.isDotAtom(local), Self.isHostName(domain) else { return nil }
    rawValue = text
    self.domain = domain.lowercased()
  }

  package var description: String { masked }

  /// `a•••@example.com`, for answers and pages (Rubix §6.3).
  package var masked: String { "\(rawValue.prefix(1))•••@\(rawValue.split(separator: "@").last ?? "")" }

  private static func isDotAtom(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-/=?^_`{|}~".contains($0) }
    }
  }

  static func isHostName(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 253, labels.count >= 2, labels.last?.contains(where: { !$0.isNumber }) == true else {
      return false
    }
    return labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == "-" }
    }
  }
}

extension Character {
  fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
