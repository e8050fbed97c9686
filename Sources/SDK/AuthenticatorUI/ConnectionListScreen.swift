// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// The app's connections to banks (specification §10.1, §10.7).
public struct ConnectionListScreen: ScreenMachine, Equatable {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    case listed([Connection])
    case failed(AuthenticatorError)
    /// The app takes it: opens the connection.
    case chosen(Connection)
    /// The app takes it: connects another bank.
    case add
    case retry
  }

  /// The oldest first; nil until they are read.
  public private(set) var connections: [Connection]?
  /// Why they could not be read.
  public private(set) var error: AuthenticatorError?

  /// Begins without any.
  public init() {}

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .listed(let connections): (self.connections, error) = (connections, nil)
    case .failed(let error): self.error = error
    case .retry:
      guard error != nil else { return [] }
      error = nil
      return [.loadConnections]
    case .chosen, .add: break
    }
    return []
  }

  /// What is shown.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    var elements: [ScreenElement<Event>] = []
    var state = "listed"
    if let error {
      state = "failed"
      elements = texts.failed(error, .retry)
    } else if let connections {
      if connections.isEmpty {
        state = "empty"
        elements = [
          .text(texts["in_app.connect.no_connections"], .heading),
          .text(texts["in_app.connect.no_connections_description"], .body),
        ]
      }
      for (place, connection) in connections.enumerated() {
        let since = "\(texts["in_app.connection.connected_on"]) \(context.dateText(connection.createdAt))"
        elements.append(
          .row(
            ScreenRow(
              "connection-\(place + 1)", connection.name, detail: since,
              badge: connection.status == .active ? "" : texts["screens.connection.inactive"],
              logo: connection.logoURL, .chosen(connection))))
      }
      elements.append(
        .button(
          ScreenButton(
            "add", texts["action.connect_provider"], hint: texts["onboarding.qr.first_scan_description"],
            role: .primary, .add)))
    } else {
      state = "loading"
      elements = [.progress(texts["screens.loading"])]
    }
    return Screen(id: "connections.\(state)", title: texts["in_app.navigation.connections"], elements: elements)
  }
}
