// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Short values that people and partners write: addresses, numbers of accounts, cards and taxpayers, codes, and the
/// languages that a browser asks for.
func fuzz(_ bytes: Data) {
  let value = text(bytes)
  if let address = EmailAddress(value) {
    precondition(value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
    precondition(EmailAddress(address.rawValue) == address && address.masked.hasSuffix(address.rawValue.suffix(3)))
  }
  if let phone = PhoneNumber(value) { precondition(phone.digits.count >= 8 && !phone.masked.contains(phone.digits)) }
  if let web = WebAddress(value) {
    precondition(!web.host.isEmpty && !web.host.contains("@") && web.port.map { (1...65_535).contains($0) } ?? true)
    // Foundation finds the same, but for punycode, which it may turn into letters.
    if !web.host.lowercased().contains("xn--"), let other = URLComponents(string: value) {
      let host = other.percentEncodedHost?.trimmingCharacters(in: ["[", "]"])
      precondition(host == web.host && other.port == web.port && other.user == nil)
    }
  }
  if let iban = IBAN(value) {
    precondition(IBAN(iban.grouped) == iban && value.utf8.allSatisfy { $0 < 0x80 })
  }
  if let code = BIC(value) { precondition(code.country.utf8.count == 2 && code.text == value) }
  if let card = CardNumber(value) { precondition(CardNumber(payload: String(card.digits.dropLast())) == card) }
  if let network = IPNetwork(value), !value.contains("/") { precondition(network.contains(value)) }
  for country in TINFormat.knownCountries.sorted() + ["KW"] {
    let format = TINFormat.check(value, of: country)
    precondition(format != .wellFormed || TINText(value) != nil)
  }
  // The value that is looked for is the one behind the country, so that all of its countries' rules are met.
  _ = TINFormat.check(String(value.dropFirst(2)), of: String(value.prefix(2)))
  _ = Language(accepting: value)
}
