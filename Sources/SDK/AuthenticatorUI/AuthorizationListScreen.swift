// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// What there is to confirm or deny, of all connections (specification §1.3, §10.6).
public struct AuthorizationListScreen: ScreenMachine, Equatable {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    /// A poll of all services.
    case listed([Authorization], failures: [String: AuthenticatorError])
    case connections([Connection])
    /// Its own screen has shown how it ended: the row goes, before the next poll does it.
    case over(Authorization.ID)
    case failed(AuthenticatorError)
    /// The app takes it: opens the details.
    case chosen(Authorization)
    /// The app takes it: opens the camera.
    case scan
    case retry
  }

  /// The oldest first.
  public private(set) var authorizations: [Authorization] = []
  /// How many services did not answer at the last poll.
  public private(set) var failures = 0
  /// Whether a poll has ended.
  public private(set) var isLoaded = false
  /// The banks' names by their connection.
  public private(set) var banks: [String: String] = [:]
  /// Whether there is a connection at all; nil until that is known.
  public private(set) var hasConnections: Bool?
  /// Why polling ended; while it is nil the app polls.
  public private(set) var error: AuthenticatorError?

  /// Begins empty.
  public init() {}

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .listed(let authorizations, let failures):
      (self.authorizations, self.failures, isLoaded, error) = (authorizations, failures.count, true, nil)
    case .connections(let connections):
      banks = Dictionary(connections.map { ($0.guid, $0.name) }) { one, _ in one }
      hasConnections = !connections.isEmpty
    case .over(let id): authorizations.removeAll { $0.id == id }
    case .failed(let error): self.error = error
    case .retry:
      guard error != nil else { return [] }
      error = nil
      return [.loadConnections]
    case .chosen, .scan: break
    }
    return []
  }

  /// What is shown.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let scan = ScreenButton<Event>(
      "scan-code", texts["in_app.connect.scan_qr"], hint: texts["onboarding.qr.take_action_description"], .scan)
    var elements: [ScreenElement<Event>] = []
    var state = "listed"
    if let error {
      state = "failed"
      elements = texts.failed(error, .retry)
    } else if hasConnections == false {
      state = "no-connections"
      elements = [
        .text(texts["in_app.connect.no_connections"], .heading),
        .text(texts["in_app.connect.no_connections_description"], .body),
      ]
    } else if !isLoaded {
      state = "loading"
      elements = [.progress(texts["screens.loading"])]
    } else if authorizations.isEmpty {
      state = "empty"
      elements = [
        .text(texts["in_app.authorizations.no_authorizations"], .heading),
        .text(texts["in_app.authorizations.no_authorizations_description"], .body),
      ]
    }
    if error == nil, failures > 0 {
      elements.append(.text(texts["screens.list.not_answered", ["count": String(failures)]], .problem))
    }
    for (place, authorization) in authorizations.enumerated() where error == nil && hasConnections != false {
      elements.append(.row(row(authorization, place + 1, texts, context)))
    }
    return Screen(
      id: "authorizations.\(state)", title: texts["screens.tab.authorizations"], elements: elements + [.button(scan)])
  }

  private func row(
    _ authorization: Authorization, _ number: Int, _ texts: AuthenticatorTexts, _ context: ScreenContext
  ) -> ScreenRow<Event> {
    let left = authorization.secondsLeft(at: context.now)
    let badge =
      authorization.state == .pending
      ? texts["screens.seconds_left", ["count": String(left)]] : texts.title(of: authorization.state)
    return ScreenRow(
      "authorization-\(number)", authorization.title, detail: banks[authorization.id.connection] ?? "", badge: badge,
      .chosen(authorization))
  }
}

extension AuthenticatorTexts {
  /// Where an authorization stands, in a word or two.
  func title(of state: AuthorizationState) -> String {
    switch state {
    case .pending: self["authorization.active.message"]
    case .processing: self["actions.processing"]
    case .confirmed: self["authorization.success.title"]
    case .denied: self["authorization.denied.title"]
    case .timeOut: self["authorization.time_out.title"]
    case .error: self["screens.authorization.error"]
    case .unavailable: self["screens.authorization.unavailable"]
    }
  }

  /// The same in a sentence.
  func message(of state: AuthorizationState) -> String {
    switch state {
    case .pending: self["authorization.active.message"]
    case .processing: self["actions.processing.description"]
    case .confirmed: self["authorization.success.message"]
    case .denied: self["authorization.denied.message"]
    case .timeOut: self["authorization.time_out.message"]
    case .error: self["errors.authorization_error"]
    case .unavailable: self["errors.authorization_not_found"]
    }
  }
}
