// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit

/// Mails a link to a member of staff, in their language. The outbox repeats it until it went out.
struct StaffLinkMail: Sendable {
  let administration: StaffAdministration
  let messenger: Messenger

  @Sendable
  func send(_ item: OutboxItem) async throws {
    // A link that was used or replaced meanwhile is not mailed.
    guard let (member, link, address) = try await administration.mail(.init(rawValue: item.subject)) else { return }
    let language = member.languages.lazy.compactMap(Language.init(rawValue:)).first ?? .english
    let key = link.kind == .invitation ? "mail_invitation" : "mail_reset"
    var message = Message(
      .email, to: member.email, subject: PageTexts.text("\(key)_subject", in: language),
      body: PageTexts.text("\(key)_body", ["name": member.name, "link": address], in: language),
      locale: language.rawValue)
    message.id = link.id.rawValue
    try await messenger.send(message)
  }
}
