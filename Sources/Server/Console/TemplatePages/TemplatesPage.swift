// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit

/// The words of messages in one language, of one tenant or of all.
struct TemplatesPage: ConsolePage {
  static var template: [UInt8] { PackageResources.TemplatesPage_mustache }

  struct Choice {
    let code: String
    let label: String
    let isOn: Bool
  }

  struct Row {
    let name: String
    let version: Count
    /// Nil for words that every tenant has.
    let tenant: String?
    let subject: String?
    let body: String
    let language: String
    let direction: String
  }

  let rows: [Row]
  let tenants: [Choice]
  let languages: [Choice]
  let foot: StaffFooter

  init(_ texts: MessageTexts, of tenant: TenantID?, in language: String, for visit: StaffVisit) throws {
    let words = tenant.map(texts.of) ?? texts
    let direction = Language(rawValue: language)?.direction ?? "ltr"
    rows = try words.list.filter { $0.key.language == language }.map { key, text in
      let message = try words.preview(key)
      return Row(
        name: "\(key.kind.rawValue).\(key.channel.rawValue)", version: Count(text.version),
        tenant: text.tenant.map { "\($0)" }, subject: message.subject, body: message.body, language: language,
        direction: direction)
    }
    tenants = texts.tenants.map { Choice(code: "\($0)", label: "\($0)", isOn: $0 == tenant) }
    languages = MessageTexts.languages.map { code in
      Choice(code: code, label: Language(rawValue: code)?.label ?? code, isOn: code == language)
    }
    foot = StaffFooter(visit)
  }
}
