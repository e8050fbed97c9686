// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// What was decided since the app was started. It is kept in memory only: the app stores nothing that it need not
/// (seed, general requirements), and the bank has the record.
public struct HistoryScreen: ScreenMachine, Equatable {
  /// A decision.
  public struct Entry: Sendable, Equatable, Redacted {
    /// Which.
    public let id: Authorization.ID
    /// Of the authorization, and the bank's name.
    public let title, bank: String
    /// What came of it.
    public let state: AuthorizationState
    /// When the bank asked.
    public let askedAt: WireInstant

    /// Creates the value from its members.
    public init(_ authorization: Authorization, bank: String) {
      (id, title, self.bank) = (authorization.id, authorization.title, bank)
      (state, askedAt) = (authorization.state, authorization.createdAt)
    }
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    /// Something is over.
    case over(Entry)
    case clear
  }

  /// Entries that are kept; the oldest go.
  public static let entriesMax = 100
  /// The newest first.
  public private(set) var entries: [Entry] = []

  /// Begins empty.
  public init() {}

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .over(let entry):
      entries.removeAll { $0.id == entry.id }
      entries.insert(entry, at: 0)
      if entries.count > Self.entriesMax { entries.removeLast(entries.count - Self.entriesMax) }
    case .clear: entries = []
    }
    return []
  }

  /// What is shown.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    var elements: [ScreenElement<Event>] = [.text(texts["screens.history.note"], .note)]
    if entries.isEmpty { elements.append(.text(texts["screens.history.empty"], .body)) }
    for (place, entry) in entries.enumerated() {
      elements.append(
        .row(
          ScreenRow(
            "entry-\(place + 1)", entry.title,
            detail: [entry.bank, context.dateText(entry.askedAt)].filter { !$0.isEmpty }.joined(separator: ", "),
            badge: texts.title(of: entry.state), nil)))
    }
    if !entries.isEmpty {
      elements.append(.button(ScreenButton("clear", texts["actions.clear"], role: .destructive, .clear)))
    }
    return Screen(
      id: entries.isEmpty ? "history.empty" : "history.listed", title: texts["screens.tab.history"], elements: elements)
  }
}
