// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import GatehouseUI
public import GatehouseWire

/// A code that came by SMS or mail. A whole code is checked at once, also one that the system filled in.
public struct CodeScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case typed(String)
    case confirm
    case resend
  }

  /// A call that the screen asks its owner to make.
  public enum Action: Sendable, Equatable, Redacted {
    case check(String)
    case resend
  }

  /// The phases of this screen.
  public enum Phase: String, Sendable {
    case asking, checking, sending
  }

  /// Of a code whose length the server did not tell.
  public static let lengths = 4...8

  /// Where the code went, masked; empty when that is not known.
  public let destination: String
  /// How long it is; nil when that is not known, as after a restart of the app.
  public let digits: Int?
  /// From when on another code can be asked for; nil when that is not known, and at once.
  public let resendAt: WireInstant?
  /// Whether another code can be asked for at all.
  public let canResend: Bool
  /// What stands in the field: ASCII digits.
  public private(set) var typed = ""
  /// What was wrong with the last code; nil when nothing was.
  public private(set) var problem: OnboardingMessage?
  /// The present phase of the screen.
  public private(set) var phase = Phase.asking

  /// Asks for a code.
  public init(
    destination: String = "", digits: Int? = nil, resendAt: WireInstant? = nil, canResend: Bool = true,
    problem: OnboardingMessage? = nil
  ) {
    (self.destination, self.resendAt, self.canResend) = (destination, resendAt, canResend)
    self.digits = digits.flatMap { Self.lengths.contains($0) ? $0 : nil }
    self.problem = problem
  }

  private var isWhole: Bool { digits.map { typed.count == $0 } ?? Self.lengths.contains(typed.count) }

  /// Takes an event in. When another code may be asked for is up to the screen, whose button is off before, and to the
  /// server.
  public mutating func handle(_ event: Event) -> Action? {
    guard phase == .asking else { return nil }
    switch event {
    case .typed(let text):
      typed = TypedDigits.ascii(text, max: digits ?? Self.lengths.upperBound)
      if !typed.isEmpty { problem = nil }
      return digits != nil && isWhole ? check() : nil
    case .confirm: return isWhole ? check() : nil
    case .resend:
      guard canResend else { return nil }
      phase = .sending
      return .resend
    }
  }

  private mutating func check() -> Action {
    phase = .checking
    return .check(typed)
  }

  /// The code was wrong, or did not arrive.
  public mutating func refuse(_ problem: OnboardingMessage) { (phase, typed, self.problem) = (.asking, "", problem) }

  /// Seconds until another code can be asked for.
  public func secondsLeft(at now: WireInstant) -> Int {
    guard let resendAt else { return 0 }
    let rest = resendAt.millisecondsSince1970 - now.millisecondsSince1970
    return rest <= 0 ? 0 : Int((rest + 999) / 1000)
  }

  /// What is shown; the way back is the app's.
  public func screen(_ texts: OnboardingTexts, in context: ScreenContext) -> Screen<Event> {
    let sent =
      destination.isEmpty ? texts[.codeSent] : texts[.codeSentTo, ["destination": destination]]
    var elements: [ScreenElement<Event>] = [
      .text(sent, .body),
      .input(
        ScreenInput(
          "code", texts[.codeLabel], kind: .oneTimeCode(digits: digits ?? Self.lengths.upperBound), value: typed,
          problem: problem.map { texts[$0] } ?? "", isEnabled: phase == .asking
        ) { .typed($0) }),
    ]
    switch phase {
    case .checking: elements.append(.progress(texts[.codeChecking]))
    case .sending: elements.append(.progress(texts[.codeSending]))
    case .asking:
      elements.append(
        .button(ScreenButton("confirm", texts[.codeConfirm], role: .primary, isEnabled: isWhole, .confirm)))
      let rest = secondsLeft(at: context.now)
      if rest > 0 { elements.append(.text(texts[.codeResendIn, ["count": String(rest)]], .note)) }
      elements.append(
        .button(ScreenButton("resend", texts[.codeResend], isEnabled: canResend && rest == 0, .resend)))
    }
    return Screen(
      id: "code.\(phase.rawValue)\(problem == nil ? "" : "-again")", title: texts[.codeTitle], elements: elements)
  }
}
