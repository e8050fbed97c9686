// SPDX-License-Identifier: Apache-2.0

/// The numbers of an invented phone, as its own sheet of identifiers shows them.
package struct PhoneNumbers: Sendable, Codable, Equatable {
  /// Fifteen digits, the last of which checks the others (3GPP TS 23.003 §6.2).
  package var imei: String
  /// Of the second slot; nil on a phone with one.
  package var imei2: String?
  /// Thirty-two digits of the built-in SIM; nil on a phone without one.
  package var eid: String?
  /// Fourteen digits, or fourteen of hexadecimal; nil where the phone never spoke CDMA.
  package var meid: String?
  /// Nineteen or twenty digits of the SIM card; nil without one.
  package var iccid: String?
  package var serial: String

  /// - Parameter imei2: also kept when nil.
  package init(imei: String, imei2: String?, seed: UInt64) {
    self = .random(seed: seed)
    (self.imei, self.imei2) = (imei, imei2)
  }

  private init(imei: String, serial: String) { (self.imei, self.serial) = (imei, serial) }

  /// The phone of this number.
  package static func random(seed: UInt64) -> PhoneNumbers {
    var draw = Seeded(seed, for: "phone numbers")
    // Bodies that report types: United Kingdom, USA, Hong Kong, India, China.
    let type = draw.pick(["35", "35", "35", "01", "86", "86", "91", "99"]) + draw.digits(6)
    let series = draw.digits(6)
    var phone = PhoneNumbers(
      imei: checked(type + series), serial: draw.letters("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ", draw.whole(10, 12)))
    if draw.chance(0.7) {
      // Next to the first number, or of a series of its own: both are made.
      let next = pad((Int(series) ?? 0) % 999_999 + 1, 6)
      phone.imei2 = checked(type + (draw.chance(0.4) ? next : draw.digits(6)))
      if phone.imei2 == phone.imei { phone.imei2 = nil }
    }
    if draw.chance(0.6) { phone.eid = "89" + draw.digits(30) }
    if draw.chance(0.5) {
      phone.meid = draw.chance(0.6) ? String(phone.imei.dropLast()) : "A100" + draw.letters("0123456789ABCDEF", 10)
    }
    if draw.chance(0.6) {
      let body = "89" + draw.digits(16)
      phone.iccid = draw.chance(0.5) ? checked(body) : checked(body + draw.digits(1))
    }
    return phone
  }

  /// The digits and their check digit (ISO/IEC 7812-1, annex B).
  static func checked(_ digits: String) -> String {
    var (sum, doubles) = (0, true)
    for digit in digits.utf8.reversed() {
      let value = Int(digit) - 48
      sum += doubles ? value / 5 + value * 2 % 10 : value
      doubles.toggle()
    }
    return digits + String((10 - sum % 10) % 10)
  }
}

extension Seeded {
  mutating func letters(_ alphabet: String, _ count: Int) -> String {
    let alphabet = Array(alphabet)
    return String((0..<count).map { _ in pick(alphabet) })
  }
}
