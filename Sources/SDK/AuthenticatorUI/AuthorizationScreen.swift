// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseUI
public import SaltEdgeAuthenticator

/// One authorization: what it is about, the decision, and what came of it (specification §1.2, §1.3).
///
/// Opened from a push, the proof that opened the app confirms, and after success the screen and the app close. Opened
/// from the list or by a code, confirming asks for passcode or biometrics first.
public struct AuthorizationScreen: ScreenMachine, Equatable {
  /// What led here, and so where success leads.
  public enum Origin: Sendable, Equatable {
    case list
    case push
    /// A code or a link; the address is where it came from.
    case action(returnTo: URL?)
  }
  /// Where the decision stands.
  public enum Phase: Sendable, Equatable {
    case loading
    case asking
    /// Passcode or biometrics, before a confirmation.
    case presence(PresenceEntry)
    case sending(confirms: Bool)
    /// The bank is asked until the state is final.
    case following
    case over
    case failed(AuthenticatorError)
  }
  /// The events that the view model of this screen handles. Answers about another authorization than the one shown are
  /// ignored.
  public enum Event: Sendable, Redacted {
    /// As it stands: found, polled, or decided.
    case shown(Authorization)
    case bank(String)
    case confirm, deny
    case presence(PresenceEntry.Event)
    case cancelPresence
    case failed(Authorization.ID?, AuthenticatorError)
    case retry
    /// What is over was shown for long enough.
    case closingDue
  }

  /// Which; nil until a push was resolved.
  public private(set) var id: Authorization.ID?
  /// What led here.
  public let origin: Origin
  /// As it stood last.
  public private(set) var authorization: Authorization?
  /// Where the decision stands.
  public private(set) var phase = Phase.loading
  /// The bank's name.
  public private(set) var bank = ""
  /// Why the last decision was not made, shown above the buttons.
  public private(set) var problem: AuthenticatorError?
  /// Whether it is to be taken off the screen; the app does.
  public private(set) var isClosed = false
  private let offersBiometrics: Bool
  /// Opens it again after a failure.
  private let opening: AuthenticatorEffect

  /// Of the list.
  public init(_ authorization: Authorization, bank: String, offersBiometrics: Bool) {
    (id, origin, self.authorization, self.bank) = (authorization.id, .list, authorization, bank)
    self.offersBiometrics = offersBiometrics
    opening = .watch(authorization.id)
    phase = authorization.state.isFinal ? .over : authorization.state == .processing ? .following : .asking
  }

  /// Of a push that is still to be resolved.
  public init(_ push: PushPayload, offersBiometrics: Bool) {
    (id, origin, opening, self.offersBiometrics) = (nil, .push, .open(push), offersBiometrics)
  }

  /// Of an action.
  public init(_ id: Authorization.ID, returnTo: URL?, bank: String, offersBiometrics: Bool) {
    (self.id, origin, opening) = (id, .action(returnTo: returnTo), .watch(id))
    (self.bank, self.offersBiometrics) = (bank, offersBiometrics)
  }

  /// What is done when the screen comes up.
  public var firstEffects: [AuthenticatorEffect] { phase == .over ? [] : [opening] }

  /// What is done when the screen goes.
  public var lastEffects: [AuthenticatorEffect] { [.endWatch, .cancelClosing] }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .shown(let fresh): return take(fresh)
    case .bank(let name):
      bank = name
      return []
    case .confirm:
      guard phase == .asking, let authorization, authorization.state == .pending else { return [] }
      problem = nil
      guard origin == .push else {
        phase = .presence(PresenceEntry(.confirm(authorization), offersBiometrics: offersBiometrics))
        return []
      }
      phase = .sending(confirms: true)
      return [.endWatch, .confirm(authorization, .opening)]
    case .deny:
      guard phase == .asking, let authorization, authorization.state == .pending else { return [] }
      (phase, problem) = (.sending(confirms: false), nil)
      return [.endWatch, .deny(authorization)]
    case .presence(let inner): return presence(inner)
    case .cancelPresence:
      guard case .presence(let entry) = phase, !entry.isBusy else { return [] }
      phase = .asking
      return []
    case .failed(let failed, let error): return fail(failed, error)
    case .retry:
      guard case .failed = phase else { return [] }
      phase = .loading
      return [id.map { .watch($0) } ?? opening]
    case .closingDue:
      if phase == .over { isClosed = true }
      return phase == .over ? leaving : []
    }
  }

  private var leaving: [AuthenticatorEffect] {
    switch origin {
    case .list: []
    case .push: [.leave(nil)]
    case .action(let returnTo): returnTo.map { [.leave($0)] } ?? []
    }
  }

  private mutating func take(_ fresh: Authorization) -> [AuthenticatorEffect] {
    guard id == nil || id == fresh.id, phase != .over else { return [] }
    let isFirst = id == nil
    // What was shown stays: the last answers of a decision may come without content.
    (id, authorization) = (fresh.id, fresh)
    if fresh.state.isFinal {
      phase = .over
      // Only what was decided closes by itself; what expired or failed is to be read.
      return [.endWatch] + ([.confirmed, .denied].contains(fresh.state) ? [.closeSoon] : [])
    }
    switch phase {
    case .loading, .failed: phase = fresh.state == .processing ? .following : .asking
    case .asking where fresh.state == .processing: phase = .following
    case .sending:
      phase = .following
      return [.watch(fresh.id)]
    case .presence(let entry):
      guard entry.isBusy || fresh.state == .processing else { break }
      phase = .following
      return [.watch(fresh.id)]
    case .asking, .following, .over: break
    }
    return isFirst ? [.watch(fresh.id)] : []
  }

  private mutating func presence(_ event: PresenceEntry.Event) -> [AuthenticatorEffect] {
    guard case .presence(var entry) = phase else { return [] }
    let wasBusy = entry.isBusy
    let effects = entry.handle(event)
    phase = .presence(entry)
    // Polling rests while it is being confirmed.
    if entry.isBusy, !wasBusy { return [.endWatch] + effects }
    return wasBusy && !entry.isBusy ? effects + (id.map { [.watch($0)] } ?? []) : effects
  }

  private mutating func fail(_ failed: Authorization.ID?, _ error: AuthenticatorError) -> [AuthenticatorEffect] {
    guard failed == id, phase != .over else { return [] }
    guard var authorization else {
      phase = .failed(error)
      return []
    }
    let wasDeciding = isDeciding
    if error.errorClass == .userPresenceMissing, case .sending(confirms: true) = phase {
      phase = .presence(PresenceEntry(.confirm(authorization), offersBiometrics: offersBiometrics))
      return [.watch(authorization.id)]
    }
    let endsHere = error.endsConnection || error.kind == .keyMissing || error.errorClass == .connectionInactive
    if !endsHere, wasDeciding || error.isTransient {
      // The next poll tells whether the decision was made all the same.
      (phase, problem) = (.asking, error)
      return [.watch(authorization.id)]
    }
    if [.authorizationNotFound, .authorizationOver].contains(error.errorClass) {
      authorization.state = .unavailable
      return take(authorization)
    }
    // Asking again at once would fail in the same way: the user may.
    phase = .failed(error)
    return []
  }

  /// Whether a decision is on its way.
  private var isDeciding: Bool {
    switch phase {
    case .sending: true
    case .presence(let entry): entry.isBusy
    default: false
    }
  }
}
