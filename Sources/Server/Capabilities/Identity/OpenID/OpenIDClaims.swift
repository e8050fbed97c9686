// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// What an ID token says (OpenID Connect Core 1.0 §2 and §5.1). It counts only when it was read from a checked token.
struct OpenIDClaims: Sendable {
  /// A value of JSON, as far as claims are asked for.
  enum Value: Decodable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([Value])
    case object([String: Value])
    case null

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Value].self) {
        self = .list(list)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    /// One text, or a list of texts; nil for anything else.
    var texts: [String]? {
      switch self {
      case .text(let text): return [text]
      case .list(let values):
        let texts = values.compactMap(\.text)
        return texts.count == values.count ? texts : nil
      default: return nil
      }
    }
  }

  let issuer: String
  /// The provider's name of the account: unique and never given to another one (§2).
  let subject: String
  let audiences: [String]
  let authorizedParty: String?
  /// Seconds since 1970.
  let expires: Double
  let issued: Double
  let notBefore: Double?
  let nonce: String?
  /// How the person was authenticated (RFC 8176).
  let methods: Set<String>
  private let all: [String: Value]

  /// - Returns: nil when a required claim is missing, or one has another type.
  init?(_ payload: Data) {
    guard let all = try? WireJSON.decode([String: Value].self, from: payload),
      let issuer = all["iss"]?.text, let subject = all["sub"]?.text, (1...255).contains(subject.utf8.count),
      let audiences = all["aud"]?.texts, let expires = all["exp"]?.number, let issued = all["iat"]?.number
    else { return nil }
    func optional<Part>(_ name: String, _ read: (Value) -> Part?) -> Part?? {
      guard let value = all[name] else { return .some(nil) }
      return read(value).map { .some($0) }
    }
    guard let party = optional("azp", \.text), let notBefore = optional("nbf", \.number),
      let nonce = optional("nonce", \.text)
    else { return nil }
    (self.issuer, self.subject, self.audiences) = (issuer, subject, audiences)
    (authorizedParty, self.expires, self.issued) = (party, expires, issued)
    (self.notBefore, self.nonce, self.all) = (notBefore, nonce, all)
    methods = Set(all["amr"]?.texts ?? [])
  }

  /// Nil when the provider says of the address that it is not verified.
  var email: String? {
    switch all["email_verified"] {
    case .flag(false), .text("false"): nil
    default: all["email"]?.text
    }
  }

  /// The session at the provider (Back-Channel Logout 1.0 §2.1); nil where it names none.
  var session: String? { all["sid"]?.text.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil } }

  /// As people call the person.
  var name: String? { (all["name"] ?? all["preferred_username"])?.text }

  var gender: StaffMember.Gender? {
    switch all["gender"]?.text?.lowercased() {
    case "female", "f": .female
    case "male", "m": .male
    default: nil
    }
  }

  /// ISO 639 code of the first part of `locale`; English without it.
  var language: String {
    let code = all["locale"]?.text?.split { "-_".contains($0) }.first.map { $0.lowercased() } ?? "en"
    return (2...3).contains(code.count) && code.allSatisfy { $0.isASCII && $0.isLetter } ? code : "en"
  }

  /// The values of a claim, which a name with dots finds in objects unless a claim is called exactly so.
  func values(_ name: String) -> Set<String> {
    if let value = all[name] { return Set(value.texts ?? []) }
    var value = Value.object(all)
    for part in name.split(separator: ".") {
      guard case .object(let members) = value, let next = members[String(part)] else { return [] }
      value = next
    }
    return Set(value.texts ?? [])
  }
}
