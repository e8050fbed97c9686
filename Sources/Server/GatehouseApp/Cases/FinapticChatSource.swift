// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Conversations
import FinapticFlow
import Identity
import Kit

/// What the chat desk shows of Finaptic's conversations. The rules and the audit are those of the calls of agents' own
/// programs.
struct FinapticChatSource: ChatSource {
  let chats: AgentChatCommands
  let tenants: FinapticTenants
  let staff: Staff
  /// Which desk answers for which tenant.
  let policy: CaseworkPolicy
  let world: World

  func conversations(of names: [ChatName], for member: StaffMember) async throws -> [Conversation] {
    var found: [Conversation] = []
    for (name, group) in Dictionary(grouping: names, by: \.tenant) {
      do {
        found += try await chats.find(group.map(\.id), of: tenant(name, of: member))
      } catch let problem as Problem where problem == .notFound {
        // A case of another system, or of a tenant that went to another desk.
      }
    }
    return found
  }

  func held(by member: StaffMember) async throws -> [Conversation] {
    var found: [Conversation] = []
    for tenant in try await tenants.list() where policy.desk(of: tenant.session) == member.tenant {
      found += try await chats.queue(.taken(by: member.id.rawValue), of: tenant)
    }
    return found
  }

  func open(_ chat: ChatName, isRefresh: Bool, for member: StaffMember) async throws -> OpenedChat {
    let (conversation, messages) = try await chats.open(
      chat.id, of: tenant(chat.tenant, of: member), by: member.actor, isRefresh: isRefresh)
    return OpenedChat(conversation, messages, messageID: world.randomUUID())
  }

  func follow(
    _ chat: ChatName, for member: StaffMember
  ) async throws -> (conversation: Conversation, updates: ConversationUpdates) {
    let conversation = try await chats.follow(chat.id, of: tenant(chat.tenant, of: member), by: member.actor)
    return (conversation, chats.updates(of: conversation))
  }

  func take(_ chat: ChatName, called name: String, isTakeover: Bool, by member: StaffMember) async throws {
    try await chats.take(chat.id, by: agent(member, in: chat), called: name, isTakeover: isTakeover)
  }

  func answer(_ text: String, messageID: String?, in chat: ChatName, by member: StaffMember) async throws {
    try await chats.answer(text, clientID: messageID, in: chat.id, by: agent(member, in: chat))
  }

  func handBack(_ chat: ChatName, by member: StaffMember) async throws {
    try await chats.handBack(chat.id, by: agent(member, in: chat))
  }

  func handOver(_ chat: ChatName, to colleague: String, by member: StaffMember) async throws {
    let giver = try await agent(member, in: chat)
    let taker = try await staff.acting(colleague, of: [member.tenant], may: .chatCustomers)
    try await chats.handOver(chat.id, by: giver, to: agent(taker, in: chat), called: taker.name)
  }

  func resolve(_ chat: ChatName, by member: StaffMember) async throws {
    try await chats.resolve(chat.id, by: agent(member, in: chat))
  }

  // MARK: Who and where

  private func agent(_ member: StaffMember, in chat: ChatName) async throws -> AgentChatCommands.Agent {
    try AgentChatCommands.Agent(
      tenant: try await tenant(chat.tenant, of: member), id: member.id.rawValue, actor: member.actor)
  }

  /// - Throws: `Problem` not-found, also for a tenant whose cases another desk works on.
  private func tenant(_ name: String, of member: StaffMember) async throws -> FinapticTenant {
    guard policy.desk(of: name) == member.tenant else { throw Problem.notFound }
    return try await tenants.find(named: name)
  }
}
