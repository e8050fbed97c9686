// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit

/// What a staff member's particulars must be like.
package enum StaffRules {
  /// Characters: what NIST SP 800-63B-4 §3.1.1.2 asks for where a password stands alone. No rule asks for kinds of
  /// characters, and no password expires.
  package static let passwordMin = 15
  static let passwordMax = 256

  static func check(_ new: NewStaffMember) throws {
    let fields =
      faults(tenant: new.tenant, email: new.email, name: new.name, languages: new.languages)
      + faults(of: new.permissions) + faults(of: new.password, email: new.email, name: new.name)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  /// What holds for a member who has no password yet.
  static func check(
    tenant: String, email: String, name: String, languages: [String], permissions: Set<StaffPermission>
  ) throws {
    let fields =
      faults(tenant: tenant, email: email, name: name, languages: languages) + faults(of: permissions)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  private static func faults(tenant: String, email: String, name: String, languages: [String]) -> [Problem.Field] {
    var fields: [Problem.Field] = []
    if tenant.isEmpty || tenant.unicodeScalars.count > 64 {
      fields.append(.init("/tenant", "invalid", "Name a tenant."))
    }
    if EmailAddress(email) == nil { fields.append(.init("/email", "invalid", "Give an e-mail address.")) }
    if name.trimmingCharacters(in: .whitespaces).isEmpty || name.unicodeScalars.count > 120
      || !DisplayedText.isPlain(name)
    {
      fields.append(.init("/name", "invalid", "Give a name of at most 120 characters that can be seen."))
    }
    if languages.isEmpty || languages.count > 10 || !languages.allSatisfy(isLanguage) {
      fields.append(.init("/languages", "invalid", "Give one to ten language codes such as en or ar."))
    }
    return fields
  }

  static func check(permissions: Set<StaffPermission>) throws {
    let fields = faults(of: permissions)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  static func check(password: String, of member: StaffMember) throws {
    let fields = faults(of: password, email: member.email, name: member.name)
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  /// A longer one cannot be anybody's, and hashing it would only cost us.
  static func isComparable(_ password: String) -> Bool { password.utf8.count <= 4 * passwordMax }

  private static func faults(of permissions: Set<StaffPermission>) -> [Problem.Field] {
    permissions.count <= 100 && permissions.allSatisfy(\.isWellFormed)
      ? [] : [.init("/permissions", "invalid", "A permission is two words joined by a colon, such as attend:video.")]
  }

  private static func faults(of password: String, email: String, name: String) -> [Problem.Field] {
    if password.count < passwordMin {
      return [.init("/password", "too-short", "Use at least \(passwordMin) characters.")]
    }
    if password.count > passwordMax || !isComparable(password) {
      return [.init("/password", "too-long", "Use at most \(passwordMax) characters.")]
    }
    if Set(password).count < 4 || isGuessable(password, email: email, name: name) {
      return [.init("/password", "too-weak", "Use other words than common passwords, your name and your address.")]
    }
    return []
  }

  /// Whether too little is left without what everyone tries first, and what is known of the member.
  private static func isGuessable(_ password: String, email: String, name: String) -> Bool {
    let known = (email.lowercased().split { "@.".contains($0) } + name.lowercased().split(separator: " "))
      .map(String.init).filter { $0.count >= 3 }
    var rest = password.lowercased().filter { !$0.isWhitespace && !$0.isPunctuation }
    for word in (commonParts + known).sorted(by: { $0.count > $1.count }) { rest.replace(word, with: "") }
    return rest.count < 8
  }

  /// What the lists of leaked passwords are made of.
  private static let commonParts = [
    "password", "passwort", "passphrase", "correcthorsebatterystaple", "qwertyuiop", "qwertzuiop", "qwerty", "qwertz",
    "azerty", "asdfghjkl", "asdfgh", "zxcvbnm", "zxcvbn", "1q2w3e4r5t", "1q2w3e4r", "1qaz2wsx", "qazwsxedc", "qazwsx",
    "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnop", "abcdefgh", "abcdef", "abc123", "12345678901234567890",
    "1234567890", "123456789", "12345678", "1234567", "123456", "12345", "1234", "123", "9876543210", "987654321",
    "654321", "0000", "1111", "aaaa", "iloveyou", "letmein", "welcome", "administrator", "admin", "changeme",
    "default", "secret", "dragon", "monkey", "football", "baseball", "basketball", "superman", "batman", "sunshine",
    "princess", "trustno1", "master", "login", "shadow", "michael", "jennifer", "starwars", "pokemon", "whatever",
    "freedom", "summer", "winter", "spring", "autumn", "hello", "gatehouse", "console", "bank",
  ]

  private static func isLanguage(_ code: String) -> Bool {
    (2...3).contains(code.count) && code.allSatisfy { $0.isASCII && $0.isLowercase }
  }
}
