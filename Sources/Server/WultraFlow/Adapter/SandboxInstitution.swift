// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore

/// An invented institution: who its users are is data, read from the operator's file.
package struct SandboxInstitution: Sendable, Codable {
  /// A rule: the first one whose members are all as it says decides.
  package struct User: Sendable, Codable {
    /// Members of the identification by name, each as text; `*` takes anything but a missing member.
    package var when: [String: String]
    /// With `{member}` for a member of the identification; nil is a person whom the institution does not know.
    package var id: String?
    /// E.164: where codes go; nil sends none, and they are read over the API.
    package var phone: String?
    package var consentRequired: Bool?
    package var evaluation: ClientVerdict?

    package init(
      when: [String: String], id: String? = nil, phone: String? = nil, consentRequired: Bool? = nil,
      evaluation: ClientVerdict? = nil
    ) {
      self.when = when
      self.id = id
      self.phone = phone
      self.consentRequired = consentRequired
      self.evaluation = evaluation
    }
  }

  package struct Consent: Sendable, Codable {
    package var type: String
    package var version: String
    /// By language; plain text or HTML.
    package var texts: [String: String]
  }

  package var users: [User]
  package var consents: [Consent]

  /// Anybody with a client number is a user, but for `unknown`, and unless the identification says `shouldFail`; the
  /// client `rejected` is refused by the institution at the end. Codes of all of them go to a number of the range for
  /// fiction, so that they are among the sandbox's messages (`/dev/outbox`).
  package static let standard = SandboxInstitution(
    users: [
      User(when: ["shouldFail": "true"]), User(when: ["clientNumber": "unknown"]),
      User(
        when: ["clientNumber": "rejected"], id: "rejected-user", phone: "+12025550143", consentRequired: true,
        evaluation: .rejected),
      User(
        when: ["clientNumber": "*"], id: "mockuser_{clientNumber}", phone: "+12025550143", consentRequired: true,
        evaluation: .accepted),
    ],
    consents: [
      Consent(
        type: "GDPR", version: "2026-11",
        texts: [
          "en": "<h1>Your data</h1><p>We process the pictures of your documents and of your face to see that you are "
            + "you. They are deleted <b>one hour</b> after the verification.</p>",
          "ar": "<h1>بياناتك</h1><p>نعالج صور وثائقك ووجهك للتحقق من هويتك، وتُحذف بعد <b>ساعة واحدة</b> من "
            + "التحقق.</p>",
        ])
    ])

  package init(users: [User], consents: [Consent]) {
    self.users = users
    self.consents = consents
  }

  /// - Returns: the rule that decides, and the user's id; nil for an unknown person.
  func user(_ identification: JSONValue) -> (rule: User, id: String)? {
    guard case .object(let members) = identification else { return nil }
    let texts = members.compactMapValues { $0.plainText }
    let rule = users.first { rule in
      rule.when.allSatisfy { name, wanted in texts[name].map { wanted == "*" || wanted == $0 } ?? false }
    }
    guard let rule, var id = rule.id else { return nil }
    for (name, text) in texts { id = id.replacing("{\(name)}", with: text) }
    return (rule, id)
  }

  /// The rule that made an id, for what is asked by id later.
  func rule(ofUser id: String) -> User? {
    users.first { user in
      guard let pattern = user.id else { return false }
      let head = pattern.prefix { $0 != "{" }
      return pattern.contains("{") ? id.hasPrefix(head) : id == pattern
    }
  }

  /// In the language asked for, else in English, else in any.
  func consent(_ type: String, language: String) -> ConsentAnswer? {
    guard let consent = consents.last(where: { $0.type == type }) else { return nil }
    let wanted = String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
    let text =
      consent.texts[wanted] ?? consent.texts["en"] ?? consent.texts.min { $0.key < $1.key }?.value
    return text.map { ConsentAnswer(consentText: $0, version: consent.version) }
  }
}

extension JSONValue {
  /// A value without parts, as text.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }
}
