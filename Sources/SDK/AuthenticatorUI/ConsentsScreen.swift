// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// What a bank's third parties may see and do, and taking it back (specification §4.9, §5.9).
public struct ConsentsScreen: ScreenMachine, Equatable {
  /// What the user is at.
  public enum Phase: Sendable, Equatable {
    case loading
    case listed
    case detail(Consent)
    /// Asks before it is taken back.
    case revoking(Consent)
    case working(Consent)
    case failed(AuthenticatorError)
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    case listed(guid: String, [Consent])
    case chosen(Consent)
    case askRevoke, revoke, cancel
    /// False when the bank did not.
    case revoked(id: String, Bool)
    case failed(AuthenticatorError)
    case retry
  }

  /// The connection whose consents are shown.
  public let connection: Connection
  /// The next to expire first.
  public private(set) var consents: [Consent] = []
  /// What the user is at.
  public private(set) var phase = Phase.loading
  /// Who lost a consent just now.
  public private(set) var revokedFor: String?
  /// Why revoking failed; nil for a bank that said no.
  public private(set) var problem: AuthenticatorError?
  /// Whether the bank did not take a consent back.
  public private(set) var isRefused = false

  /// Begins to load.
  public init(_ connection: Connection) { self.connection = connection }

  /// What is done when the screen comes up.
  public var firstEffects: [AuthenticatorEffect] { [.loadConsents(connection.guid)] }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch (event, phase) {
    case (.listed(connection.guid, let consents), .loading): (self.consents, phase) = (consents, .listed)
    case (.chosen(let consent), .listed) where consents.contains(consent):
      (phase, revokedFor, problem, isRefused) = (.detail(consent), nil, nil, false)
    case (.askRevoke, .detail(let consent)): (phase, problem, isRefused) = (.revoking(consent), nil, false)
    case (.revoke, .revoking(let consent)):
      phase = .working(consent)
      return [.revoke(consent)]
    case (.cancel, .revoking(let consent)): phase = .detail(consent)
    case (.cancel, .detail): phase = .listed
    case (.revoked(let id, let isRevoked), .working(let consent)) where consent.id == id:
      guard isRevoked else {
        (phase, isRefused) = (.detail(consent), true)
        break
      }
      consents.removeAll { $0.id == id }
      (phase, revokedFor) = (.listed, consent.thirdParty)
    case (.failed(let error), .working(let consent)): (phase, problem) = (.detail(consent), error)
    case (.failed(let error), .loading): phase = .failed(error)
    case (.retry, .failed):
      phase = .loading
      return firstEffects
    default: break
    }
    return []
  }

  /// What is shown; the way back from the list is the app's.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let back = ScreenButton("back", texts["actions.back"], Event.cancel)
    switch phase {
    case .loading:
      return screen("loading", texts, [.progress(texts["screens.loading"])])
    case .failed(let error):
      return screen("failed", texts, texts.failed(error, .retry))
    case .listed: return screen(consents.isEmpty ? "empty" : "listed", texts, list(texts, context))
    case .detail(let consent):
      var shown = screen(problem == nil && !isRefused ? "detail" : "detail-failed", texts, [])
      if let problem { shown.elements.append(.text(texts[problem], .problem)) }
      if isRefused { shown.elements.append(.text(texts["errors.try_again"], .problem)) }
      shown.elements += facts(of: consent, texts, context)
      shown.elements.append(
        .button(
          ScreenButton(
            "ask-revoke", texts["in_app.connection.consents.revoke_consent"], hint: consent.thirdParty,
            role: .destructive, .askRevoke)))
      shown.back = back
      return shown
    case .revoking(let consent):
      return screen(
        "revoking", texts,
        [
          .text(
            texts["in_app.connection.consents.revoke_consent_description", ["tpp_name": consent.thirdParty]], .body),
          .button(ScreenButton("revoke", texts["actions.revoke"], role: .destructive, .revoke)),
          .button(ScreenButton("cancel", texts["actions.cancel"], .cancel)),
        ])
    case .working: return screen("revoking.working", texts, [.progress(texts["actions.processing"])])
    }
  }

  private func screen(
    _ state: String, _ texts: AuthenticatorTexts, _ elements: [ScreenElement<Event>]
  ) -> Screen<Event> {
    Screen(id: "consents.\(state)", title: texts["in_app.connection.active_consents"], elements: elements)
  }

  private func list(_ texts: AuthenticatorTexts, _ context: ScreenContext) -> [ScreenElement<Event>] {
    var elements: [ScreenElement<Event>] = [.text(connection.name, .note)]
    if let revokedFor {
      elements.append(
        .text(texts["in_app.connection.consents.consent_revoked_for", ["tpp_name": revokedFor]], .success))
    }
    if consents.isEmpty { elements.append(.text(texts["screens.consents.none"], .body)) }
    for (place, consent) in consents.enumerated() {
      elements.append(
        .row(
          ScreenRow(
            "consent-\(place + 1)", consent.thirdParty, detail: texts.kind(of: consent),
            badge: texts["screens.days_left", ["count": String(consent.daysLeft(at: context.now))]], .chosen(consent))))
    }
    return elements
  }

  private func facts(
    of consent: Consent, _ texts: AuthenticatorTexts, _ context: ScreenContext
  ) -> [ScreenElement<Event>] {
    let word = "in_app.connection.consents."
    func text(_ name: String) -> String { texts[TextKey(rawValue: word + name)] }
    var elements: [ScreenElement<Event>] = [
      .text(consent.thirdParty, .heading), .text(texts.kind(of: consent), .body),
      .text(
        texts[
          "in_app.connection.consents.granted_to",
          ["consent": consent.thirdParty, "connection": connection.name]], .body),
    ]
    for account in consent.accounts {
      elements.append(.text(account.name, .heading))
      if let iban = account.iban { elements.append(.fact(label: text("iban"), value: iban)) }
      if let number = account.number { elements.append(.fact(label: text("account_number"), value: number)) }
      if let code = account.sortCode { elements.append(.fact(label: text("sort_code"), value: code)) }
    }
    let shared = [
      consent.shared?.balance == true ? text("balance") : nil,
      consent.shared?.transactions == true ? text("transactions") : nil,
    ].compactMap { $0 }
    if !shared.isEmpty { elements.append(.fact(label: text("shared_data"), value: shared.joined(separator: ", "))) }
    return elements + [
      .fact(label: text("granted"), value: context.dateText(consent.createdAt)),
      .fact(label: text("expires"), value: context.dateText(consent.expiresAt)),
    ]
  }
}

extension AuthenticatorTexts {
  /// What a consent is for; the service's word where this version does not know it.
  func kind(of consent: Consent) -> String {
    ["aisp", "pisp_future", "pisp_recurring"].contains(consent.kind)
      ? self[TextKey(rawValue: "in_app.connection.consents.\(consent.kind)_description")] : consent.kind
  }
}
