// SPDX-License-Identifier: Apache-2.0

import Casework
import Conversations
import Identity
import Kit

extension ConversationStatus {
  fileprivate var phrase: Phrase {
    switch self {
    case .waitingForAgent: Phrase("chat_waiting")
    case .waitingForCustomer: Phrase("chat_answered")
    case .resolved: Phrase("chat_closed")
    }
  }

  fileprivate var tone: String {
    switch self {
    case .waitingForAgent: "bad"
    case .waitingForCustomer: "open"
    case .resolved: "good"
    }
  }
}

/// Customers who wait for an answer, and the conversations that the member has in hand.
struct ChatListPage: ConsolePage {
  static var template: [UInt8] { PackageResources.ChatListPage_mustache }
  static var scripts: [Asset] { [.idle, .queue] }

  struct Row {
    let href: String
    let subject: String
    let tenant: String
    let since: Moment
    let isOverdue: Bool
    let state: Phrase
    let tone: String
    let holder: String?
  }

  let held: [Row]
  let waiting: [Row]
  let (hasHeld, hasWaiting): (Bool, Bool)
  /// Where the next page is; nil after the last.
  let older: String?
  /// The number of the last event that the page shows.
  let position: String
  let foot: StaffFooter

  /// - Parameter conversations: those of the cases that are there still.
  init(
    _ page: CasePage, _ conversations: [Conversation], held: [Conversation], names: [StaffMember],
    for visit: StaffVisit
  ) {
    func row(_ chat: Conversation, _ item: Case?) -> Row {
      Row(
        href: ChatName(chat).path, subject: chat.subject, tenant: chat.tenant,
        since: Moment(chat.waitingSince ?? chat.updatedAt), isOverdue: item?.isOverdue(at: page.at) ?? false,
        state: chat.status.phrase, tone: chat.status.tone,
        holder: chat.agent?.name ?? item?.holder.map { CaseRow.name(of: $0, names) })
    }
    let known = Dictionary(conversations.map { ($0.id, $0) }) { one, _ in one }
    let cases = Dictionary(page.cases.map { ($0.subject, $0) }) { one, _ in one }
    self.held = held.map { row($0, cases[$0.id.rawValue]) }
    waiting = page.cases.compactMap { item in
      guard let chat = known[.init(rawValue: item.subject)], chat.agent?.id != visit.member.id.rawValue else {
        return nil
      }
      return row(chat, item)
    }
    (hasHeld, hasWaiting) = (!self.held.isEmpty, !waiting.isEmpty)
    older = page.next.map { "\(ChatRoutes.base)?after=\($0.text)" }
    (position, foot) = ("\(page.position)", StaffFooter(visit))
  }
}

/// One conversation: what was said, and the answer.
struct ChatPage: ConsolePage {
  static var template: [UInt8] { PackageResources.ChatPage_mustache }
  static var scripts: [Asset] { [.idle, .chat] }

  struct Entry {
    let number: String
    /// How it is set: `customer`, `agent` or `system`.
    let side: String
    let who: String
    let role: Phrase?
    let at: Moment
    /// What a person wrote; nil for what the system says.
    let words: String?
    /// What the system says, in the reader's language.
    let notice: Phrase?

    init(_ entry: ConversationEntry) {
      (number, side, who) = ("\(entry.sequence)", entry.role.rawValue, entry.content.name)
      let isSystem = entry.role == .system
      role = isSystem ? nil : Phrase("chat_role_\(entry.role.rawValue)")
      at = Moment(entry.createdAt)
      words = isSystem ? nil : entry.content.text
      notice =
        isSystem
        ? entry.content.notice.map { Phrase("chat_notice_\($0.rawValue)", ["name": entry.content.name]) }
          ?? Phrase(plain: entry.content.text) : nil
    }
  }

  struct Colleague {
    let id: String
    let name: String
  }

  let subject: String
  let path: String
  let tenant: String
  let (state, tone): (Phrase, String)
  let holder: String?
  let since: Moment
  let lines: [Entry]
  let hasLines: Bool
  /// Where to follow the conversation on from.
  let position: String
  /// Whose it is: `mine`, `free`, `other` or `over`. The script looks at it.
  let hold: String
  let (isMine, isFree, isOther, isOver): (Bool, Bool, Bool, Bool)
  let name: String
  let messageID: String
  let unsent: String
  let colleagues: [Colleague]
  let hasColleagues: Bool
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  init(_ opened: OpenedChat, names: [StaffMember], fault: Phrase?, unsent: String?, for visit: StaffVisit) {
    let chat = opened.conversation
    (subject, path, tenant) = (chat.subject, ChatName(chat).path, chat.tenant)
    (state, tone, holder) = (chat.status.phrase, chat.status.tone, chat.agent?.name)
    since = Moment(chat.waitingSince ?? chat.updatedAt)
    lines = opened.messages.map(Entry.init)
    (hasLines, position) = (!lines.isEmpty, "\(chat.sequence)")
    hold =
      chat.status == .resolved
      ? "over" : chat.agent.map { $0.id == visit.member.id.rawValue ? "mine" : "other" } ?? "free"
    (isMine, isFree, isOther, isOver) = (hold == "mine", hold == "free", hold == "other", hold == "over")
    (name, messageID, self.unsent) = (visit.member.name, opened.messageID, unsent ?? "")
    colleagues = names.filter { member in
      member.isActive && member.id.rawValue != chat.agent?.id && member.permissions.contains(.chatCustomers)
    }.map { Colleague(id: $0.id.rawValue, name: $0.name) }
    hasColleagues = !colleagues.isEmpty
    (csrf, self.fault, foot) = (visit.csrf, fault, StaffFooter(visit))
  }
}
