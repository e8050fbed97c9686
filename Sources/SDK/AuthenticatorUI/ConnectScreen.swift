// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseUI
public import SaltEdgeAuthenticator

/// From a code or a link to a connection, or to an action that was begun elsewhere (specification §1.1, §1.4, §3).
public struct ConnectScreen: ScreenMachine, Equatable {
  /// The phases of this screen.
  public enum Phase: Sendable, Equatable {
    /// The camera looks for a code; the last one was not ours.
    case scanning(isForeign: Bool)
    /// A link is typed instead of scanned.
    case typing(String, isForeign: Bool)
    /// The text is being taken apart.
    case reading(String)
    case connecting
    /// The bank's page; the text is its address.
    case page(String)
    /// An action fits several connections.
    case choosing(ActionLink, [Connection])
    case submitting
    case connected(Connection)
    case actionDone(returnTo: URL?)
    case failed(AuthenticatorError)
    /// There is no connection for the action.
    case unsuitable
    /// The bank did not take the action.
    case refused
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    /// A code was scanned, or a link opened.
    case scanned(String)
    case byHand, typed(String), take
    case read(DeepLink?)
    case page(SignInRequest)
    case pageEnded(String?)
    case connected(Connection)
    case found(ActionLink, [Connection])
    case chosen(String)
    /// The app takes `confirm`: shows what is to be confirmed.
    case outcome(ActionOutcome)
    case failed(AuthenticatorError)
    case again
    /// The user has read the end of it; the app takes it off the screen.
    case done
  }

  /// The present phase of the screen.
  public private(set) var phase: Phase
  /// Where the bank's page has to end.
  private var request: SignInRequest?
  /// Whether the link that is read was typed.
  public private(set) var isTyped = false
  /// Whether it began with a connection that is made again.
  private let reconnecting: String?

  /// Begins with the camera.
  public init() { (phase, reconnecting) = (.scanning(isForeign: false), nil) }

  /// Begins with a link that another app opened.
  public init(link: String) { (phase, reconnecting) = (.reading(link), nil) }

  /// Makes a connection again.
  public init(reconnecting guid: String) { (phase, reconnecting) = (.connecting, guid) }

  /// The same states have the same pages.
  public static func == (one: Self, other: Self) -> Bool {
    one.phase == other.phase && one.reconnecting == other.reconnecting && one.request?.url == other.request?.url
  }

  /// What is done when the screen comes up.
  public var firstEffects: [AuthenticatorEffect] {
    if let reconnecting { return [.reconnect(reconnecting)] }
    if case .reading(let text) = phase { return [.read(text)] }
    return []
  }

  /// What is done when the screen goes: a page that is left tells the enrolment so.
  public var lastEffects: [AuthenticatorEffect] {
    switch phase {
    case .page, .connecting: [.endPage(nil), .endConnect]
    default: []
    }
  }

  /// Whether an enrolment is under way.
  var isEnrolling: Bool {
    switch phase {
    case .connecting, .page: true
    default: false
    }
  }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch (event, phase) {
    case (.scanned(let text), .scanning):
      (phase, isTyped) = (.reading(text), false)
      return [.read(text)]
    case (.byHand, .scanning): phase = .typing("", isForeign: false)
    case (.typed(let text), .typing): phase = .typing(String(text.prefix(Self.linkMax)), isForeign: false)
    case (.take, .typing(let text, _)) where !text.isEmpty:
      (phase, isTyped) = (.reading(text), true)
      return [.read(text)]
    case (.read(let link), .reading(let text)): return go(link, text)
    case (.page(let request), .connecting): (self.request, phase) = (request, .page(request.url.absoluteString))
    case (.pageEnded(let address), .page):
      (phase, request) = (.connecting, nil)
      return [.endPage(address)]
    case (.connected(let connection), .connecting):
      phase = .connected(connection)
      return [.loadConnections]
    case (.found(let link, let connections), .submitting): return choose(link, connections)
    case (.chosen(let guid), .choosing(let link, let connections)) where connections.contains { $0.guid == guid }:
      phase = .submitting
      return [.submit(link, on: guid)]
    case (.outcome(.done(let address)), .submitting):
      phase = .actionDone(returnTo: address)
      return []
    case (.outcome(.refused), .submitting): phase = .refused
    case (.failed(let error), .connecting), (.failed(let error), .submitting), (.failed(let error), .page):
      (phase, request) = (.failed(error), nil)
    case (.again, .failed), (.again, .unsuitable), (.again, .refused):
      if let reconnecting {
        phase = .connecting
        return [.reconnect(reconnecting)]
      }
      // A query is good for once (§3): the code is scanned anew.
      phase = .scanning(isForeign: false)
    case (.done, .actionDone(let address)): return address.map { [.leave($0)] } ?? []
    default: break
    }
    return []
  }

  /// Characters of a link.
  static let linkMax = 4096

  private mutating func go(_ link: DeepLink?, _ text: String) -> [AuthenticatorEffect] {
    switch link {
    case nil:
      phase = isTyped ? .typing(text, isForeign: true) : .scanning(isForeign: true)
      return []
    case .connect(let link):
      phase = .connecting
      return [.connect(link)]
    case .action(let link):
      phase = .submitting
      return [.find(link)]
    }
  }

  private mutating func choose(_ link: ActionLink, _ connections: [Connection]) -> [AuthenticatorEffect] {
    guard let first = connections.first else {
      phase = .unsuitable
      return []
    }
    guard connections.count == 1 else {
      phase = .choosing(link, connections)
      return []
    }
    return [.submit(link, on: first.guid)]
  }

  /// What is shown; the way back is the app's.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let (state, elements) = elements(texts)
    return Screen(id: "connect.\(state)", title: texts["in_app.connect.new_connection"], elements: elements)
  }

  private func elements(_ texts: AuthenticatorTexts) -> (String, [ScreenElement<Event>]) {
    let foreign = ScreenElement<Event>.text(texts["screens.connect.foreign"], .problem)
    let again = ScreenElement.button(ScreenButton("again", texts["actions.try_again"], role: .primary, Event.again))
    let done = ScreenElement.button(ScreenButton("done", texts["actions.done"], role: .primary, Event.done))
    switch phase {
    case .scanning(let isForeign):
      return (
        isForeign ? "scanning-again" : "scanning",
        (isForeign ? [foreign] : []) + [
          .scanner(ScreenScanner(label: texts["in_app.connect.scan_qr_description"]) { .scanned($0) }),
          .button(ScreenButton("by-hand", texts["screens.connect.by_hand"], .byHand)),
        ]
      )
    case .typing(let text, let isForeign):
      return (
        isForeign ? "typing-again" : "typing",
        [
          .input(
            ScreenInput(
              "link", texts["screens.connect.link"], kind: .link, value: text,
              problem: isForeign ? texts["screens.connect.foreign"] : ""
            ) { .typed($0) }),
          .button(
            ScreenButton("take", texts["actions.connect"], role: .primary, isEnabled: !text.isEmpty, .take)),
        ]
      )
    case .reading: return (isTyped ? "typing.reading" : "reading", [.progress(texts["actions.processing"])])
    case .connecting: return ("connecting", [.progress(texts["screens.connect.connecting"])])
    case .submitting: return ("submitting", [.progress(texts["actions.processing"])])
    case .page(let address):
      let request = request
      return (
        "page",
        [
          .page(
            ScreenPage(
              address: address, isEnd: { request?.decision(on: $0) == .end }, ended: { .pageEnded($0) }))
        ]
      )
    case .choosing(_, let connections):
      return (
        "choosing",
        [.text(texts["in_app.connect.choose"], .heading)]
          + connections.enumerated().map { place, connection in
            .row(ScreenRow("connection-\(place + 1)", connection.name, .chosen(connection.guid)))
          }
      )
    case .connected(let connection):
      return (
        "connected",
        [
          .text(texts["in_app.connect.success_title"], .heading), .text(connection.name, .body),
          .text(texts["in_app.connect.success_description"], .success), done,
        ]
      )
    case .actionDone:
      return (
        "action-done",
        [
          .text(texts["instant_action.success_message"], .heading),
          .text(texts["instant_action.success_description"], .success), done,
        ]
      )
    case .failed(let error): return ("failed", [.text(texts[error], .problem), again])
    case .unsuitable: return ("unsuitable", [.text(texts["errors.no_suitable_connection"], .problem), again])
    case .refused: return ("refused", [.text(texts["errors.instant_action.error"], .problem), again])
    }
  }
}
