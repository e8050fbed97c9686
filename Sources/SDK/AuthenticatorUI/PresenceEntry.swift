// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// Asks the user to show to be there, by passcode or biometrics: to open the app, and to confirm one authorization
/// (specification §10.4). "Forgot" erases everything, after a question.
public struct PresenceEntry: ScreenMachine, Equatable {
  /// What follows from a right answer.
  public enum Purpose: Sendable, Equatable {
    case open
    case confirm(Authorization)
  }
  /// What is shown above the field.
  public enum Note: Sendable, Equatable {
    case wrong(attemptsLeft: Int)
    case blocked(for: Duration)
    case biometricsRefused, biometricsLockedOut, deviceRefused
    case failed(AuthenticatorError)
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case typed(String)
    case biometrics
    /// The lock answered; `passed` is the app's to take.
    case outcome(LockOutcome)
    case failed(AuthenticatorError)
    /// Asks the lock again, such as after a block.
    case retry
    case forgot, keep, erase
  }

  /// What follows from a right answer.
  public let purpose: Purpose
  /// Whether the button for biometrics is shown.
  public private(set) var offersBiometrics: Bool
  /// What stands in the field.
  public private(set) var typed = TypedPasscode()
  /// What is shown above the field.
  public private(set) var note: Note?
  /// Whether the lock is being asked.
  public private(set) var isBusy = false
  /// Whether the user is asked to erase everything.
  public private(set) var asksToErase = false

  /// Begins to ask.
  public init(_ purpose: Purpose, offersBiometrics: Bool, blockedFor rest: Duration? = nil) {
    (self.purpose, self.offersBiometrics) = (purpose, offersBiometrics)
    note = rest.map { .blocked(for: $0) }
  }

  /// Whether nothing can be tried now.
  public var isBlocked: Bool { if case .blocked = note { true } else { false } }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .typed(let text):
      guard !isBusy, !isBlocked, !asksToErase else { return [] }
      (typed, note) = (TypedPasscode(text), nil)
      guard typed.isWhole else { return [] }
      return attempt(.passcode(typed))
    case .biometrics:
      guard !isBusy, !isBlocked, !asksToErase, offersBiometrics else { return [] }
      return attempt(.biometrics)
    case .outcome(let outcome):
      guard isBusy else { return [] }
      isBusy = false
      take(outcome)
      return []
    case .failed(let error):
      guard isBusy else { return [] }
      (isBusy, note, asksToErase) = (false, .failed(error), false)
      return []
    case .retry: return isBlocked && !isBusy ? [.askLock] : []
    case .forgot:
      guard !isBusy, purpose == .open else { return [] }
      (asksToErase, typed) = (true, TypedPasscode())
      return []
    case .keep:
      if !isBusy { asksToErase = false }
      return []
    case .erase:
      guard asksToErase, !isBusy else { return [] }
      isBusy = true
      return [.wipe]
    }
  }

  private mutating func attempt(_ presence: Presence) -> [AuthenticatorEffect] {
    (isBusy, typed, note) = (true, TypedPasscode(), nil)
    switch purpose {
    case .open: return [.unlock(presence)]
    case .confirm(let authorization): return [.confirm(authorization, presence)]
    }
  }

  private mutating func take(_ outcome: LockOutcome) {
    switch outcome {
    case .passed, .wiped, .noPasscode: note = nil
    case .wrong(let attemptsLeft): note = .wrong(attemptsLeft: attemptsLeft)
    case .blocked(let rest): note = .blocked(for: rest)
    case .biometricsRefused: note = .biometricsRefused
    case .biometricsLockedOut: (note, offersBiometrics) = (.biometricsLockedOut, false)
    case .deviceRefused: note = .deviceRefused
    }
  }

  /// What is shown; the way back is the app's.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    if asksToErase { return erasing(texts) }
    let prefix = purpose == .open ? "unlock" : "confirm"
    let state = isBusy ? "checking" : isBlocked ? "blocked" : note == nil ? "asking" : "again"
    var elements: [ScreenElement<Event>] = []
    if case .confirm(let authorization) = purpose { elements.append(.text(authorization.title, .heading)) }
    if let note { elements.append(.text(text(of: note, texts), .problem)) }
    if isBusy {
      elements.append(.progress(texts["actions.processing"]))
    } else if isBlocked {
      elements.append(.button(ScreenButton("retry", texts["actions.try_again"], role: .primary, .retry)))
    } else {
      elements.append(
        .input(
          ScreenInput(
            "passcode", texts["in_app.passcode_confirmation.title"],
            kind: .passcode(digits: TypedPasscode.digitsMax), value: typed.digits
          ) { .typed($0) }))
      if offersBiometrics {
        elements.append(
          .button(
            ScreenButton(
              "biometrics", texts["screens.presence.biometrics"],
              hint: texts["onboarding.secure_app.biometrics_message"], role: .primary, .biometrics)))
      }
    }
    if purpose == .open, !isBusy {
      elements.append(
        .button(
          ScreenButton("forgot", texts["actions.forgot"], hint: texts["no_data.forgot_passcode"], .forgot)))
    }
    return Screen(
      id: "\(prefix).\(state)",
      title: texts[purpose == .open ? "actions.unlock_authenticator" : "actions.confirm_authorization"],
      elements: elements)
  }

  private func erasing(_ texts: AuthenticatorTexts) -> Screen<Event> {
    Screen(
      id: isBusy ? "forgot.erasing" : "forgot.asking", title: texts["no_data.forgot_passcode"],
      elements: [
        .text(texts["no_data.forgot_passcode_description"], .body),
        .text(texts["no_data.forgot_passcode_clear_data_description"], .note),
      ]
        + (isBusy
          ? [.progress(texts["actions.processing"])]
          : [
            .button(ScreenButton("erase", texts["actions.clear_data"], role: .destructive, .erase)),
            .button(ScreenButton("keep", texts["actions.cancel"], .keep)),
          ]))
  }

  private func text(of note: Note, _ texts: AuthenticatorTexts) -> String {
    switch note {
    case .wrong(let left): texts.wrong(attemptsLeft: left)
    case .blocked(let rest): texts.blocked(for: rest)
    case .biometricsRefused: texts["screens.presence.biometrics_refused"]
    case .biometricsLockedOut: texts["screens.presence.biometrics_locked_out"]
    case .deviceRefused: texts["screens.presence.device_refused"]
    case .failed(let error): texts[error]
    }
  }
}
