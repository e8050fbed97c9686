// SPDX-License-Identifier: Apache-2.0

import Delivery
import DocumentCore
import FinapticWire
import Foundation
import GatehouseWire
import Kit
import ReferenceData

/// Members that have a form of their own (finaptic §4).
extension InputCheck {
  static let nameMax = 50
  private static let urlMax = 2048
  /// How far an app's clock may run ahead of ours.
  private static let aheadMax = Duration.minutes(5)

  /// Part of a person's name: letters of English and French, digits, hyphen, apostrophe and space.
  mutating func name(_ value: String?, _ path: String, isRequired: Bool) -> String? {
    let typed = value?.replacing("\u{2019}", with: "'")
    guard let name = text(typed, path, max: Self.nameMax, isRequired: isRequired) else { return nil }
    guard name.unicodeScalars.allSatisfy(Self.nameLetters.contains) else {
      refuse(path, "characters", "Letters of English and French, digits, hyphens, apostrophes and spaces.")
      return nil
    }
    return name
  }

  private static let nameLetters: Set<Unicode.Scalar> = {
    let letters = "abcdefghijklmnopqrstuvwxyz" + "àâäæçéèêëîïôœùûüÿ"
    return Set((letters + letters.uppercased() + "0123456789-' ").unicodeScalars)
  }()

  /// A day of the calendar.
  mutating func day(_ value: String?, _ path: String, isRequired: Bool = false) -> WireDate? {
    text(value, path, isRequired: isRequired, "A day such as 2000-03-06.") { WireDate($0) != nil }
      .flatMap { WireDate($0) }
  }

  /// The day of a birth: since 1900, not in the future.
  mutating func birthday(_ value: String?, _ path: String, today: CalendarDate) -> WireDate? {
    guard let day = day(value, path, isRequired: true) else { return nil }
    guard day.year >= 1900, (day.year, day.month, day.day) <= (today.year, today.month, today.day) else {
      refuse(path, "range", "From 1900-01-01 until today.")
      return nil
    }
    return day
  }

  mutating func email(_ value: String?, _ path: String, isRequired: Bool = true) -> String? {
    text(value, path, isRequired: isRequired, "An e-mail address.") { EmailAddress($0) != nil }
  }

  /// `+`, a country code of the ITU, then 1 to 14 digits.
  mutating func number(_ value: String?, _ path: String, isRequired: Bool = true) -> String? {
    text(value, path, isRequired: isRequired, "A number such as +15141234567.", CallingCode.fits)
  }

  mutating func phone(_ value: FinapticAPI.Phone?, _ path: String, isRequired: Bool) -> FinapticAPI.Phone? {
    guard let phone = required(value, path, isRequired) else { return nil }
    return number(phone.number, "\(path).number").map { .init(smsCompatible: phone.smsCompatible ?? false, number: $0) }
  }

  /// A well-formed absolute URL.
  mutating func url(_ value: String?, _ path: String) -> String? {
    text(value, path, isRequired: true, "An absolute URL.", Self.isURL)
  }

  static func isURL(_ text: String) -> Bool {
    guard text.utf8.count <= urlMax, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host
    else { return false }
    return ["http", "https"].contains(scheme.lowercased()) && !host.isEmpty && parts.user == nil
  }

  /// When something happened, by a clock that need not be ours.
  mutating func moment(_ value: String?, _ path: String, now: Instant) -> FinapticAPI.Instant? {
    guard
      let moment = text(
        value, path, isRequired: true, "An instant such as 2026-11-21T06:00:00Z.", { FinapticAPI.Instant($0) != nil }
      ).flatMap({ FinapticAPI.Instant($0) })
    else { return nil }
    guard moment.millisecondsSince1970 <= (now + Self.aheadMax).milliseconds else {
      refuse(path, "range", "Not in the future.")
      return nil
    }
    return moment
  }
}

/// Country codes of ITU-T E.164. No code is the beginning of another one, so that a number has one only.
enum CallingCode {
  private static let codes = Set(Country.all.map { String($0.phoneCode.dropFirst()) }).union(others)
  /// Kosovo, Ascension, and what belongs to networks and services instead of countries.
  private static let others: Set<String> = [
    "247", "383", "800", "808", "870", "878", "881", "882", "883", "888", "979",
  ]

  /// Whether a text is `+`, a country code and 1 to 14 digits.
  static func fits(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), digits.count <= 17,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let code = (1...3).lazy.compactMap({ String(digits.prefix($0)) }).first(where: codes.contains)
    else { return false }
    return (1...14).contains(digits.count - code.utf8.count)
  }
}
