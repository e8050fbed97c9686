// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Conversations
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

/// `gatehouse chat`: conversations with customers, from a terminal.
struct ChatCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chat", abstract: "Answer customers in conversations.",
    subcommands: [
      Queue.self, Show.self, Take.self, Reply.self, HandBack.self, Resolve.self, Client.self,
    ])

  /// Which installation and tenant.
  struct Place: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int

    func open() async throws -> (App, AgentChatCommands, FinapticTenant) {
      let app = try await installation.app(of: tenant)
      return (app, app.finaptic.dependencies.agentChats, try await app.finaptic.dependencies.tenants.find(tenant))
    }
  }

  /// Which conversation, and who acts.
  struct Act: ParsableArguments {
    @OptionGroup var place: Place
    @Argument(help: "The conversation's id.")
    var chat: String
    @Option(help: "Who acts: id or e-mail address of a member of staff with chat:customers.")
    var agent: String

    var id: Conversation.ID { .init(rawValue: chat.lowercased()) }

    func act<Value>(_ work: (AgentChatCommands, AgentChatCommands.Agent) async throws -> Value) async throws -> Value {
      let (app, agentChats, tenant) = try await place.open()
      let member = try await app.staff.acting(agent, of: app.tenants.all.map(\.id), may: .chatCustomers)
      return try await work(
        agentChats, try AgentChatCommands.Agent(tenant: tenant, id: member.id.rawValue, actor: member.actor))
    }
  }

  struct Queue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "queue",
      abstract: "List customers who wait and whom no agent has in hand, the longest waiting first.")

    @OptionGroup var place: Place
    @Flag(help: "Those that an agent has in hand instead.")
    var taken = false
    @Option(help: "With --taken: of one agent, by id.")
    var agent: String?

    func run() async throws {
      let (_, agentChats, tenant) = try await place.open()
      let chats = try await agentChats.list(
        taken ? .taken(by: agent) : .waiting, of: tenant, by: MachineUser.actor)
      try place.output.show(
        ["conversations": chats.map { ConversationRow($0) }],
        chats.isEmpty ? ["No customers."] : chats.map(ChatCommand.line))
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a conversation, the oldest first; the look is kept in the audit.")

    @OptionGroup var act: Act

    func run() async throws {
      let (chat, messages) = try await act.act { agentChats, agent in
        try await agentChats.open(act.id, of: agent.tenant, by: agent.actor)
      }
      try act.place.output.show(
        ConversationRow(chat, messages), [ChatCommand.line(chat)] + messages.map(ChatCommand.line))
    }
  }

  struct Take: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "take", abstract: "Take a conversation in hand.")

    @OptionGroup var act: Act
    @Option(help: "What the customer reads.")
    var name: String
    @Flag(help: "Also from another agent.")
    var takeover = false

    func run() async throws {
      let chat = try await act.act { agentChats, agent in
        try await agentChats.take(act.id, by: agent, called: name, isTakeover: takeover)
      }
      try act.place.output.show(ConversationRow(chat), [ChatCommand.line(chat)])
    }
  }

  struct Reply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reply",
      abstract: "Answer the customer with what standard input holds, so that it stays out of the shell's history.")

    @OptionGroup var act: Act

    func run() async throws {
      let text = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      _ = try await act.act { agentChats, agent in try await agentChats.answer(text, in: act.id, by: agent) }
      try act.place.output.done("Said.", id: act.id.rawValue)
    }
  }

  struct HandBack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hand-back", abstract: "Put a conversation back into the queue.")

    @OptionGroup var act: Act

    func run() async throws {
      let chat = try await act.act { agentChats, agent in try await agentChats.handBack(act.id, by: agent) }
      try act.place.output.show(ConversationRow(chat), [ChatCommand.line(chat)])
    }
  }

  struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resolve", abstract: "Close a conversation.")

    @OptionGroup var act: Act

    func run() async throws {
      let chat = try await act.act { agentChats, agent in try await agentChats.resolve(act.id, by: agent) }
      try act.place.output.show(ConversationRow(chat), [ChatCommand.line(chat)])
    }
  }

  struct Client: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "client", abstract: "Add a client of the agents' API; its secret is printed once.")

    @OptionGroup var options: BankOptions
    @Option(help: "The name of the system that it is for.")
    var name = "desk"

    func run() async throws {
      let app = try await options.app()
      let issued = try await app.addFinapticClient(.chat, name, tenant: options.tenant, by: OperatorOptions.machineUser)
      try issued.show(options.output, towards: "\(FinapticServerDialect.base)/chats")
    }
  }

  static func line(_ chat: Conversation) -> String {
    let waiting = chat.waitingSince.map { "  since \($0.rfc3339)" } ?? ""
    let (agent, subject) = (chat.agent?.id ?? "-", TerminalLine.of(chat.subject))
    return "\(chat.id)  \(chat.status.rawValue)\(waiting)  \(agent)  \(subject)"
  }

  /// One line, whatever was said: who speaks stands where no text can put it.
  static func line(_ message: ConversationEntry) -> String {
    let speaker =
      message.role == .system ? "system" : "\(message.role.rawValue) \(TerminalLine.of(message.content.name))"
    return "\(message.createdAt.rfc3339)  \(speaker): \(TerminalLine.of(message.content.text))"
  }
}

/// A conversation as commands print it as JSON.
private struct ConversationRow: Encodable {
  struct Message: Encodable {
    let at, role, name, text: String
  }

  let id, status, subject: String
  let waitingSince, agent: String?
  var messages: [Message]?

  init(_ chat: Conversation, _ messages: [ConversationEntry]? = nil) {
    (id, status, subject) = (chat.id.rawValue, chat.status.rawValue, chat.subject)
    (waitingSince, agent) = (chat.waitingSince?.rfc3339, chat.agent?.id)
    self.messages = messages?.map {
      Message(
        at: $0.createdAt.rfc3339, role: $0.role.rawValue, name: $0.role == .system ? "system" : $0.content.name,
        text: $0.content.text)
    }
  }
}
