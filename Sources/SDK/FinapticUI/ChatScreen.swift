// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
internal import GatehouseUI
internal import GatehouseWire

/// Conversations with the bank's people.
public struct ChatScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case listed([ChatThread])
    case failed(FinapticErrorCode)
    /// What was said, in any order, also what is known already.
    case said([ChatMessage])
    case connection(ChatConnectionStatus)
    /// What was written did not arrive.
    case notSaid(String)
    case reload, back, new
    case open(String)
    case typed(String)
    /// Says what was typed, or begins a conversation about it.
    case send
  }

  /// A conversation that is looked at.
  public struct Conversation: Sendable, Equatable {
    /// What it is about; nil while that is typed.
    public internal(set) var subject: String?
    /// In the order in which it was said.
    public internal(set) var messages: [ChatMessage] = []
    /// Of the line to the other side.
    public internal(set) var connection = ChatConnectionStatus.connecting
    /// What stands in the field.
    public internal(set) var draft = ""
    /// What went wrong; nil when nothing did.
    public internal(set) var problem: FinapticText?
  }

  private static let draftMax = 1000

  /// All conversations, last changed first.
  public private(set) var list = Listed<ChatThread>()
  /// The one that is looked at; nil for all.
  public private(set) var open: Conversation?

  init() {}

  mutating func load() -> [FinapticEffect] {
    list.begin()
    return [.loadThreads]
  }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    switch event {
    case .listed(let threads) where list.isBusy: list.take(threads)
    case .failed(let code) where open?.subject != nil: open?.problem = FinapticText(code)
    case .failed(let code) where list.isBusy: list.fail(code)
    case .reload where open == nil && !list.isBusy: return load()
    case .new where open == nil: open = Conversation()
    case .open(let id) where open == nil:
      guard let thread = list.items?.first(where: { $0.id == id }) else { break }
      open = Conversation(subject: thread.subject)
      return [.openChat(thread: id, subject: thread.subject)]
    case .back where open != nil:
      open = nil
      return [.closeChat] + load()
    case .said(let messages): hear(messages)
    case .connection(let status) where open?.subject != nil: open?.connection = status
    case .notSaid(let text) where open?.subject != nil:
      open?.problem = .chatNotSaid
      if open?.draft.isEmpty == true { open?.draft = text }
    case .typed(let text): open?.draft = String(text.prefix(Self.draftMax))
    case .send: return send()
    default: break
    }
    return []
  }

  private mutating func hear(_ messages: [ChatMessage]) {
    guard var conversation = open, conversation.subject != nil else { return }
    let known = Set(conversation.messages.map(\.id))
    conversation.messages += messages.filter { !known.contains($0.id) }
    conversation.messages.sort { $0.timestamp < $1.timestamp }
    open = conversation
  }

  private mutating func send() -> [FinapticEffect] {
    guard var conversation = open, Self.hasWords(conversation.draft) else { return [] }
    let text = conversation.draft
    (conversation.draft, conversation.problem) = ("", nil)
    let isNew = conversation.subject == nil
    guard isNew || conversation.connection != .ended else { return [] }
    if isNew { conversation.subject = text }
    open = conversation
    return [isNew ? .openChat(thread: nil, subject: text) : .say(text)]
  }

  private static func hasWords(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }

  // MARK: What is shown

  func screen(_ texts: ScreenTexts<FinapticText>, in context: ScreenContext) -> Screen<Event> {
    guard let open else {
      return Screen(
        id: "chat.\(list.state)", title: texts[.tabChat],
        elements: list.elements(texts, empty: .chatNone, retry: .reload) { thread in
          .row(
            ScreenRow(
              "thread-\(thread.id)", thread.subject, detail: context.dateText(WireInstant(thread.lastUpdated)),
              badge: texts[Self.text(of: thread.status)], .open(thread.id)))
        } + [.button(ScreenButton("new", texts[.chatNew], role: .primary, .new))])
    }
    var elements: [ScreenElement<Event>] = open.messages.map { message in
      .text(
        "\(Self.name(message, texts)): \(message.content)",
        message.participantRole == .systemMessage ? .note : .body)
    }
    if let problem = open.problem { elements.append(.text(texts[problem], .problem)) }
    let isNew = open.subject == nil
    if !isNew { elements.append(.text(texts[Self.text(of: open.connection)], .note)) }
    if isNew || open.connection != .ended {
      elements += [
        .input(ScreenInput("draft", texts[isNew ? .chatSubject : .chatDraft], value: open.draft) { .typed($0) }),
        .button(
          ScreenButton(
            "send", texts[isNew ? .chatBegin : .chatSend], role: .primary, isEnabled: Self.hasWords(open.draft),
            .send)),
      ]
    }
    let heard = open.messages.isEmpty ? "" : ".heard"
    let state = isNew ? "new" : "\(open.connection)\(heard)\(open.problem == nil ? "" : ".again")"
    return Screen(
      id: "conversation.\(state)", title: open.subject ?? texts[.chatNew], elements: elements,
      back: ScreenButton("back", texts[.actionBack], .back))
  }

  private static func name(_ message: ChatMessage, _ texts: ScreenTexts<FinapticText>) -> String {
    switch message.participantRole {
    case .customer: texts[.chatYou]
    case .agent: message.displayName
    case .systemMessage: texts[.chatSystem]
    }
  }

  private static func text(of status: ChatThreadStatus) -> FinapticText {
    switch status {
    case .waitingForAgent: .chatWaits
    case .waitingForCustomer: .chatAnswered
    case .resolved: .chatResolved
    }
  }

  private static func text(of status: ChatConnectionStatus) -> FinapticText {
    switch status {
    case .connecting: .chatConnecting
    case .connected: .chatConnected
    case .ended: .chatEnded
    }
  }
}
