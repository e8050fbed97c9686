// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import Kit

/// What money can be sent to instead of an account number: an e-mail address or a mobile number (finaptic §8.8).
enum InteracAlias: Sendable, Hashable, Codable {
  /// As it was typed; compared in lower case.
  case email(String)
  /// As it was typed; compared by its ten digits.
  case phone(String)

  var isEmail: Bool { if case .email = self { true } else { false } }

  /// What two spellings of one alias share.
  var folded: String {
    switch self {
    case .email(let address): "email:" + address.lowercased()
    case .phone(let number): "phone:" + Self.digits(number)
    }
  }

  /// Where its holder is written to.
  var destination: String {
    switch self {
    case .email(let address): address
    case .phone(let number): "+1" + Self.digits(number)
    }
  }

  /// For pages: enough to know one's own by.
  var masked: String {
    switch self {
    case .email(let address): EmailAddress(address)?.description ?? "…"
    case .phone: PhoneNumber(destination)?.masked ?? "…"
    }
  }

  /// Exactly one of the two.
  /// - Parameters:
  ///   - path: in front of both members' paths; empty for none.
  ///   - rules: which area codes are in service.
  /// - Throws: `Problem` invalid argument; invalid mobile number; invalid area code.
  static func checked(
    email: String?, phone: FinapticAPI.InteracPhone?, path: String, rules: InteracRules
  ) throws -> InteracAlias {
    var check = InputCheck()
    let (emailPath, phonePath) = ("\(path)aliasEmail", "\(path)aliasPhoneNumber")
    let address = InputCheck.clean(email).flatMap { check.email($0, emailPath) }
    let hasEmail = InputCheck.clean(email) != nil
    guard hasEmail != (phone != nil) else {
      check.refuse(emailPath, "alias", "Either an e-mail address or a mobile number.")
      check.refuse(phonePath, "alias", "Either an e-mail address or a mobile number.")
      throw try check.refusal()
    }
    guard !hasEmail else {
      guard let address else { throw try check.refusal() }
      return .email(address)
    }
    guard let number = check.interacNumber(phone?.phoneNumber, "\(phonePath).phoneNumber") else {
      throw try check.refusal()
    }
    try checkNumber(number, rules)
    return .phone(number)
  }

  /// North America's numbers are NXX NXX XXXX, N from 2 to 9.
  private static func checkNumber(_ number: String, _ rules: InteracRules) throws {
    let digits = Array(Self.digits(number).utf8)
    let isStarter = { (byte: UInt8) in (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(byte) }
    guard number.hasPrefix("+1-"), digits.count == 10, isStarter(digits[0]), isStarter(digits[3]) else {
      throw Problem.finaptic(.transInteracInvMobNumber, "The mobile number is not one of North America.")
    }
    guard rules.areaCodes.contains(String(decoding: digits[..<3], as: UTF8.self)) else {
      throw Problem.finaptic(.transInteracInvMobAreacode, "The area code is not in service in Canada.")
    }
  }

  /// What comes after the country code, without what people put between digits.
  private static func digits(_ number: String) -> String {
    let local = number.split(separator: "-", maxSplits: 1).last ?? ""
    return String(local.filter { ("0"..."9").contains($0) })
  }
}

extension InputCheck {
  /// Everything that was refused, as the error to throw.
  fileprivate func refusal() throws -> Problem {
    try end()
    return Problem.unexpected
  }
}
