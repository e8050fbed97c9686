// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import Kit

/// What a new user's credentials must be like (finaptic §4.2, §8.1), in the order in which it is looked at:
///
/// 1. the e-mail address is one;
/// 2. the user name is no e-mail address; then its characters and its length;
/// 3. the password's length, and one lower-case letter, one upper-case letter and one digit in it;
/// 4. the password is not a common one with digits behind it;
/// 5. the password does not hold what the user is called.
///
/// The first that fails is what the answer names.
struct CredentialRules: Sendable {
  static let usernameMax = 15
  static let passwordMin = 12
  static let passwordMax = 128

  let email: EmailAddress
  /// In lower case; nil for none.
  let username: String?
  let password: String

  /// - Throws: `Problem` SIGNUP_CREDENTIAL_ERROR or SIGNUP_ERROR.
  init(_ credential: FinapticAPI.Credential?) throws {
    guard let email = EmailAddress(Self.trimmed(credential?.email ?? "")) else {
      throw Problem.signUpCredential("email", "The e-mail address is not valid.")
    }
    let username = Self.trimmed(credential?.username ?? "")
    if EmailAddress(username) != nil {
      throw Problem.signUp("username", "The username must not be an e-mail address.", family: .invalidArgument)
    }
    if !username.isEmpty, !Self.isUsername(username) {
      throw Problem.signUpCredential(
        "username", "A username has 1 to \(Self.usernameMax) letters, digits or _ + - . ! # $ ' ^ ` ~ @.")
    }
    (self.email, self.username) = (email, username.isEmpty ? nil : username.lowercased())
    password = credential?.password ?? ""
    try Self.check(password, email: email, username: self.username)
  }

  /// Rules 3 to 5, for a new password of a user who is there.
  static func check(_ password: String, email: EmailAddress, username: String?) throws {
    if let fault = fault(password) { throw Problem.signUpCredential("password", fault.text) }
    if holdsUserInfo(password, email: email, username: username) {
      throw Problem.signUp(
        "password", "The password must not hold your username or a part of your e-mail address.",
        family: .invalidArgument)
    }
  }

  /// What makes a password too weak for anybody.
  enum PasswordFault: Sendable, Equatable {
    case length, classes, common

    var text: String {
      switch self {
      case .length: "A password has \(CredentialRules.passwordMin) to \(CredentialRules.passwordMax) characters."
      case .classes: "A password has at least one lower-case letter, one upper-case letter and one digit."
      case .common: "The password is too common."
      }
    }
  }

  static func fault(_ password: String) -> PasswordFault? {
    let scalars = password.precomposedStringWithCanonicalMapping.unicodeScalars
    guard (passwordMin...passwordMax).contains(scalars.count) else { return .length }
    guard scalars.contains(where: { $0.properties.isLowercase }),
      scalars.contains(where: { $0.properties.isUppercase }), scalars.contains(where: isDigit)
    else { return .classes }
    return CommonPasswords.holds(password) ? .common : nil
  }

  /// Ignoring case: the address's local part, each piece of it, the first label of its domain, the user name; pieces
  /// of less than 4 characters are ignored.
  static func holdsUserInfo(_ password: String, email: EmailAddress, username: String?) -> Bool {
    let parts = email.rawValue.lowercased().split(separator: "@", omittingEmptySubsequences: false)
    let local = parts.first.map(String.init) ?? ""
    let pieces = local.split { ".-_+".contains($0) }.map(String.init)
    let domain = email.domain.split(separator: ".").first.map(String.init) ?? ""
    let lowered = password.lowercased()
    return ([local, domain, username?.lowercased() ?? ""] + pieces).contains { $0.count >= 4 && lowered.contains($0) }
  }

  static func isUsername(_ text: String) -> Bool {
    (1...usernameMax).contains(text.unicodeScalars.count)
      && text.unicodeScalars.allSatisfy {
        ("a"..."z").contains($0) || ("A"..."Z").contains($0) || isDigit($0)
          || "_+-.!#$'^`~@".unicodeScalars.contains($0)
      }
  }

  static func trimmed(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension Problem {
  static func signUpCredential(_ field: String, _ detail: String) -> Problem {
    finaptic(.signupCredentialError, detail, fields: [.init("/credential/\(field)", "invalid", detail)])
  }

  /// - Parameter family: already exists, unless the password or the name itself is wrong.
  static func signUp(_ field: String, _ detail: String, family: FinapticCode = .alreadyExists) -> Problem {
    finaptic(.signupError, family: family, detail, fields: [.init("/credential/\(field)", "invalid", detail)])
  }
}
