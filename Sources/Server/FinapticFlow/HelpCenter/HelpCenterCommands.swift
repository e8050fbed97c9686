// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Storage

/// The customer's side of a conversation (finaptic §8.11).
struct HelpCenterCommands: Sendable {
  let core: CoreDependencies
  let conversations: Conversations
  let policy: FinapticPolicy
  let texts: MessageTexts

  /// Who asks: a signed-in user of a tenant.
  struct Caller: Sendable {
    let tenant: FinapticTenant
    let user: FinapticSignedIn

    init(_ context: FinapticUserContext) { (tenant, user) = (context.tenant, context.user) }
    init(_ context: FinapticCustomerContext) { (tenant, user) = (context.tenant, context.user) }

    var tenantID: String { tenant.session }
    var id: String { user.user.rawValue }
  }

  /// Begins a conversation, or goes on with one.
  /// - Throws: `Problem` invalid argument; not found; resource exhausted.
  func start(
    _ asked: FinapticAPI.StartChatRequest, by caller: Caller, in tx: any SQLTransaction
  ) throws -> FinapticAPI.StartChatResponse {
    var check = InputCheck()
    let name = check.displayName(asked.displayName)
    let thread = check.id(asked.contactCaseId, "contactCaseId", isRequired: false)
    // Of a thread that there is, the subject is known.
    let subject = thread == nil ? check.chatSubject(asked.subject) : ""
    try check.end()
    guard let name, let subject else { throw Problem.unexpected }
    let usage = try core.limits.count(policy.chatsPerUser, by: caller.id, in: tx)
    guard !usage.isExceeded else { throw Problem.rateLimited(usage) }
    let opened =
      try thread.map {
        try conversations.resume(.init(rawValue: $0), by: caller.id, called: name, tenant: caller.tenantID, in: tx)
      } ?? conversations.begin(subject, by: caller.id, called: name, tenant: caller.tenantID, in: tx)
    let history = try conversations.messages(of: opened.conversation, limit: ConversationPolicy.historyMax, in: tx)
    try core.note(
      thread == nil ? "chat.started" : "chat.resumed", opened.conversation.chain, by: caller.user.actor, in: tx)
    return FinapticAPI.StartChatResponse(
      contactId: opened.conversation.id.rawValue, chatToken: opened.token,
      messages: try history.map(texts(for: caller, in: tx).message), position: opened.contact.begin)
  }

  /// - Throws: `Problem` invalid argument; not found; failed precondition when it has ended; aborted for another text
  ///   under the same id.
  func send(
    _ asked: FinapticAPI.SendMessageRequest, by caller: Caller, in tx: any SQLTransaction
  ) throws -> FinapticAPI.SendMessageResponse {
    var check = InputCheck()
    let token = check.chatToken(asked.chatToken)
    let text = check.chatText(asked.messageContent)
    let id = check.id(asked.clientMessageId, "clientMessageId", isRequired: false)
    try check.end()
    guard let token, let text else { throw Problem.unexpected }
    let (contact, conversation) = try conversations.contact(token, of: caller.id, tenant: caller.tenantID, in: tx)
    let entry = try conversations.write(text, clientID: id, over: contact, of: conversation, in: tx)
    return FinapticAPI.SendMessageResponse(message: .init(entry), position: entry.sequence)
  }

  /// - Throws: `Problem` invalid argument; not found; failed precondition when it has ended.
  func type(_ asked: FinapticAPI.ChatRequest, by caller: Caller, in tx: any SQLTransaction) throws -> EmptyBody {
    let (contact, conversation) = try contact(asked.chatToken, by: caller, in: tx)
    try conversations.type(over: contact, of: conversation, in: tx)
    return EmptyBody()
  }

  /// - Throws: `Problem` invalid argument; not found.
  func stop(_ asked: FinapticAPI.ChatRequest, by caller: Caller, in tx: any SQLTransaction) throws -> EmptyBody {
    let (contact, conversation) = try contact(asked.chatToken, by: caller, in: tx)
    if contact.isOpen { try core.note("chat.stopped", conversation.chain, by: caller.user.actor, in: tx) }
    try conversations.stop(contact, of: conversation, in: tx)
    return EmptyBody()
  }

  /// - Throws: `Problem` invalid argument; not found.
  func contact(
    _ token: String?, by caller: Caller, in tx: any SQLTransaction
  ) throws -> (ConversationContact, Conversation) {
    var check = InputCheck()
    let token = check.chatToken(token)
    try check.end()
    return try conversations.contact(token ?? "", of: caller.id, tenant: caller.tenantID, in: tx)
  }

  /// How the system speaks to them.
  func texts(for caller: Caller, in tx: any SQLTransaction) throws -> ChatTexts {
    ChatTexts(
      texts: texts.of(tenant: caller.tenant.id), institution: caller.tenant.name,
      locale: try ClientProfileStore(tx, vault: core.vault).locale(of: caller.user.customer))
  }

  // MARK: Lists

  /// - Throws: `Problem` invalid argument.
  func threads(
    _ asked: FinapticAPI.ListChatThreadsRequest, by caller: Caller
  ) async throws -> FinapticAPI.ChatThreadsResponse {
    let tokens = PageTokens(core.vault, "listChatThreads", caller.id)
    let place = try tokens.position(asked.nextToken, "nextToken").map { text -> (Instant, Conversation.ID) in
      let words = text.split(separator: " ").map(String.init)
      guard words.count == 2, let instant = Int64(words[0]) else { throw Problem.unexpected }
      return (Instant(milliseconds: instant), .init(rawValue: words[1]))
    }
    let found = try await core.database.read {
      try conversations.page(of: caller.id, tenant: caller.tenantID, below: place, in: $0)
    }
    let page = found.prefix(ConversationPolicy.pageMax)
    let last = found.count > page.count ? page.last : nil
    return FinapticAPI.ChatThreadsResponse(
      nextToken: try last.map { try tokens.token("\($0.updatedAt.milliseconds) \($0.id)") },
      items: page.map { .init($0, customer: caller.user.customer ?? caller.id) })
  }

  /// - Throws: `Problem` invalid argument; not found.
  func history(
    _ asked: FinapticAPI.ListChatHistoryRequest, by caller: Caller
  ) async throws -> FinapticAPI.ChatHistoryResponse {
    var check = InputCheck()
    let id = check.id(asked.contactId, "contactId")
    try check.end()
    guard let id else { throw Problem.unexpected }
    let tokens = PageTokens(core.vault, "listChatHistory", caller.id, id)
    let place = try tokens.position(asked.nextToken, "nextToken").map { text in
      guard let sequence = Int64(text) else { throw Problem.unexpected }
      return sequence
    }
    let (found, spoken) = try await core.database.read { tx in
      let conversation = try conversations.find(.init(rawValue: id), of: caller.id, tenant: caller.tenantID, in: tx)
      let messages = try conversations.messages(
        of: conversation, below: place ?? .max, limit: ConversationPolicy.pageMax + 1, in: tx)
      return (messages, try texts(for: caller, in: tx))
    }
    let page = found.prefix(ConversationPolicy.pageMax)
    let last = found.count > page.count ? page.last : nil
    return FinapticAPI.ChatHistoryResponse(
      nextToken: try last.map { try tokens.token("\($0.sequence)") }, items: try page.map(spoken.message))
  }
}
