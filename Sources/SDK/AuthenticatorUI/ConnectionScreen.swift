// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// One connection: its name, its consents, mending it and taking it away (specification §10.7).
public struct ConnectionScreen: ScreenMachine, Equatable {
  /// What the user is at.
  public enum Phase: Sendable, Equatable {
    case shown
    case renaming(String, isTaken: Bool)
    case removing
    /// A call is under way.
    case working
    /// It is gone; false when the bank has not heard.
    case removed(isHeard: Bool)
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    case rename, typed(String), save, cancel
    case askRemove, remove
    /// The app takes it: makes the connection again.
    case reconnect
    /// The app takes it: shows the consents.
    case consents
    case renamed(Connection)
    case removed(guid: String, isHeard: Bool)
    case failed(AuthenticatorError)
  }

  /// As it is kept.
  public private(set) var connection: Connection
  /// What the user is at.
  public private(set) var phase = Phase.shown
  /// Why the last call failed.
  public private(set) var error: AuthenticatorError?
  /// The name that is being given; empty while the connection is being removed.
  private var wanted = ""

  /// Begins.
  public init(_ connection: Connection) { self.connection = connection }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch (event, phase) {
    case (.rename, .shown): (phase, error) = (.renaming(connection.name, isTaken: false), nil)
    case (.typed(let name), .renaming): phase = .renaming(String(name.prefix(Self.nameMax)), isTaken: false)
    case (.save, .renaming(let name, _)):
      let wanted = Self.trimmed(name)
      guard !wanted.isEmpty else { return [] }
      guard wanted != connection.name else {
        phase = .shown
        return []
      }
      (phase, self.wanted) = (.working, wanted)
      return [.rename(connection.guid, to: wanted)]
    case (.askRemove, .shown): (phase, error) = (.removing, nil)
    case (.remove, .removing):
      (phase, wanted) = (.working, "")
      return [.remove(connection.guid)]
    case (.cancel, .renaming), (.cancel, .removing): phase = .shown
    case (.renamed(let fresh), .working) where fresh.guid == connection.guid: (connection, phase) = (fresh, .shown)
    case (.removed(connection.guid, let isHeard), .working):
      phase = .removed(isHeard: isHeard)
      return [.loadConnections]
    case (.failed(let error), .working):
      (phase, self.error) = error.errorClass == .nameTaken ? (.renaming(wanted, isTaken: true), nil) : (.shown, error)
    default: break
    }
    return []
  }

  /// Characters of a name.
  static let nameMax = 64

  private static func trimmed(_ name: String) -> String {
    name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// What is shown; the way back is the app's.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let cancel = ScreenElement.button(ScreenButton("cancel", texts["actions.cancel"], Event.cancel))
    let (state, elements): (String, [ScreenElement<Event>]) =
      switch phase {
      case .shown: (error == nil ? "shown" : "failed", shown(texts, context))
      case .renaming(let name, let isTaken):
        (
          isTaken ? "renaming.taken" : "renaming",
          [
            .input(
              ScreenInput(
                "name", texts["actions.rename"], value: name, problem: isTaken ? texts["screens.connection.taken"] : ""
              ) { .typed($0) }),
            .button(
              ScreenButton(
                "save", texts["actions.done"], role: .primary, isEnabled: !Self.trimmed(name).isEmpty, .save)), cancel,
          ]
        )
      case .removing:
        (
          "removing",
          [
            .text(texts["actions.confirm_delete_connection"], .body),
            .button(
              ScreenButton("remove", texts["actions.delete"], hint: connection.name, role: .destructive, .remove)),
            cancel,
          ]
        )
      case .working: ("\(wanted.isEmpty ? "removing" : "renaming").working", [.progress(texts["actions.processing"])])
      case .removed(let isHeard):
        (
          isHeard ? "removed" : "removed-unheard",
          [
            .text(texts["screens.connection.removed"], .success),
            isHeard ? nil : .text(texts["screens.connection.unheard"], .note),
          ].compactMap { $0 }
        )
      }
    return Screen(id: "connection.\(state)", title: connection.name, elements: elements)
  }

  private func shown(_ texts: AuthenticatorTexts, _ context: ScreenContext) -> [ScreenElement<Event>] {
    let isActive = connection.status == .active
    var elements: [ScreenElement<Event>] = []
    if let error { elements.append(.text(texts[error], .problem)) }
    if !isActive { elements.append(.text(texts["errors.inactive_connection"], .problem)) }
    elements.append(
      .fact(label: texts["in_app.connection.connected_on"], value: context.dateText(connection.createdAt)))
    if let mail = connection.supportEmail {
      elements.append(.fact(label: texts["in_app.settings.support"], value: mail))
    }
    if !isActive {
      elements.append(
        .button(
          ScreenButton("reconnect", texts["actions.reconnect"], hint: connection.name, role: .primary, .reconnect)))
    } else if connection.managesConsents {
      elements.append(.button(ScreenButton("consents", texts["actions.view_consents"], .consents)))
    }
    return elements + [
      .button(ScreenButton("rename", texts["actions.rename"], .rename)),
      .button(
        ScreenButton(
          "ask-remove", texts["in_app.connections_list.delete_connection"], role: .destructive, .askRemove)),
    ]
  }
}
