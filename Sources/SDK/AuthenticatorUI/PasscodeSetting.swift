// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// Sets the first passcode, or another one (specification §10.4: four digits, asked twice; a change asks for the
/// current one first). Each step goes on by itself with the fourth digit.
public struct PasscodeSetting: ScreenMachine, Equatable {
  /// Whether a first passcode is created or the passcode is changed.
  public enum Purpose: Sendable, Equatable { case create, change }
  /// Which passcode the user is asked for.
  public enum Step: Sendable, Equatable { case current, new, again }
  /// Why it was asked again.
  public enum Problem: Sendable, Equatable {
    case different
    case wrong(attemptsLeft: Int)
    case failed(AuthenticatorError)
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case typed(String)
    case outcome(PasscodeOutcome)
    case failed(AuthenticatorError)
  }

  /// Whether a first passcode is created or the passcode is changed.
  public let purpose: Purpose
  /// What is asked for.
  public private(set) var step: Step
  /// What stands in the field.
  public private(set) var typed = TypedPasscode()
  /// Why it is asked again.
  public private(set) var problem: Problem?
  /// Whether the passcode is being set.
  public private(set) var isBusy = false
  /// Whether it is set.
  public private(set) var isDone = false
  private var current = TypedPasscode()
  private var new = TypedPasscode()

  /// Begins.
  public init(_ purpose: Purpose) {
    self.purpose = purpose
    step = purpose == .create ? .new : .current
  }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch event {
    case .typed(let text):
      guard !isBusy, !isDone else { return [] }
      (typed, problem) = (TypedPasscode(text), nil)
      return typed.isWhole ? goOn() : []
    case .outcome(let outcome):
      guard isBusy else { return [] }
      take(outcome)
      return []
    case .failed(let error):
      guard isBusy else { return [] }
      beginAnew(.failed(error))
      return []
    }
  }

  private mutating func goOn() -> [AuthenticatorEffect] {
    let whole = typed
    typed = TypedPasscode()
    switch step {
    case .current: (current, step) = (whole, .new)
    case .new: (new, step) = (whole, .again)
    case .again:
      guard whole == new else {
        (step, problem, new) = (.new, .different, TypedPasscode())
        return []
      }
      isBusy = true
      return purpose == .create
        ? [.createPasscode(new, again: whole)] : [.changePasscode(current, to: new, again: whole)]
    }
    return []
  }

  private mutating func take(_ outcome: PasscodeOutcome) {
    switch outcome {
    case .set:
      (isBusy, isDone, current, new) = (false, true, TypedPasscode(), TypedPasscode())
    case .malformed, .different: beginAnew(.different)
    case .refused(.wrong(let attemptsLeft)): beginAnew(.wrong(attemptsLeft: attemptsLeft))
    // The app is locked now, or not yet open: the lock tells what is next.
    case .refused: beginAnew(nil)
    }
  }

  private mutating func beginAnew(_ problem: Problem?) {
    (typed, current, new) = (TypedPasscode(), TypedPasscode(), TypedPasscode())
    (isBusy, step, self.problem) = (false, purpose == .create ? .new : .current, problem)
  }

  /// What is shown; the way back is the app's.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let (title, name) =
      switch (purpose, step) {
      case (_, .again): (texts["onboarding.secure_app.passcode_confirm"], "again")
      case (.create, _): (texts["onboarding.secure_app.passcode_create"], "new")
      case (.change, .current): (texts["actions.current_passcode"], "current")
      case (.change, .new): (texts["in_app.settings.new_passcode"], "new")
      }
    let prefix = purpose == .create ? "passcode-create" : "passcode-change"
    if isDone {
      return Screen(
        id: "\(prefix).done", title: texts["onboarding.secure_app.passcode_title"],
        elements: purpose == .create
          ? [.progress(texts["screens.loading"])]
          : [.text(texts["in_app.passcode_new_passcode_success_message"], .success)])
    }
    var elements: [ScreenElement<Event>] = []
    if purpose == .create { elements.append(.text(texts["onboarding.secure_app.passcode_description"], .body)) }
    elements.append(
      .input(
        ScreenInput(
          "passcode", title, kind: .passcode(digits: TypedPasscode.digitsMax), value: typed.digits,
          problem: text(of: problem, texts), isEnabled: !isBusy
        ) { .typed($0) }))
    if isBusy { elements.append(.progress(texts["actions.processing"])) }
    return Screen(id: "\(prefix).\(isBusy ? "setting" : name)", title: title, elements: elements)
  }

  private func text(of problem: Problem?, _ texts: AuthenticatorTexts) -> String {
    switch problem {
    case nil: ""
    case .different: texts["errors.passcode_dont_match"]
    case .wrong(let left): texts.wrong(attemptsLeft: left)
    case .failed(let error): texts[error]
    }
  }
}

extension AuthenticatorTexts {
  /// What a wrong passcode is told by.
  func wrong(attemptsLeft: Int) -> String {
    "\(self["errors.wrong_passcode"]). \(self["screens.passcode.attempts_left", ["count": String(attemptsLeft)]])"
  }
}
