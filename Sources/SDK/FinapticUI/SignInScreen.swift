// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
internal import GatehouseUI

/// Signing in or up, the second factor when the server asks for one, and asking for a new password.
public struct SignInScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case email(String)
    case password(String)
    case code(String)
    /// Signs in or up.
    case send
    /// From one form to the other.
    case change
    case back
    /// Leads to asking for a new password.
    case forgot
    /// It was asked for. Whether a user has the address is not told.
    case resetSent
    case failed(FinapticErrorCode)
  }

  /// Which form is shown; the raw value is the screen's id.
  public enum Form: String, Sendable {
    case signIn = "sign-in"
    case signUp = "sign-up"
    case secondFactor = "second-factor"
    case reset = "reset-password"
  }

  private static let (emailMax, passwordMax, codeLength) = (254, 128, 6)

  /// Which form is shown.
  public private(set) var form = Form.signIn
  /// What stands in the fields; a code is ASCII digits.
  public private(set) var email = "", password = "", code = ""
  /// Whether a call is under way.
  public private(set) var isBusy = false
  /// What went wrong; nil when nothing did.
  public private(set) var problem: FinapticText?
  /// Whether a new password was just asked for.
  public private(set) var isResetSent = false

  init(problem: FinapticText? = nil) { self.problem = problem }

  private var isReady: Bool {
    switch form {
    case .secondFactor: code.count == Self.codeLength
    case .reset: email.contains("@")
    case .signIn, .signUp: email.contains("@") && !password.isEmpty
    }
  }

  private var credential: Credential { Credential(email: email, password: password) }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    switch event {
    case .failed(let code):
      fail(code)
      return []
    case .resetSent where form == .reset && isBusy:
      (form, isBusy, isResetSent) = (.signIn, false, true)
      return []
    default: break
    }
    guard !isBusy else { return [] }
    switch event {
    case .email(let text): email = String(text.prefix(Self.emailMax))
    case .password(let text): password = String(text.prefix(Self.passwordMax))
    case .code(let text):
      code = TypedDigits.ascii(text, max: Self.codeLength)
      return isReady ? send() : []
    case .send where isReady: return send()
    case .change where form == .signIn: show(.signUp)
    case .change where form == .signUp: show(.signIn)
    case .forgot where form == .signIn: show(.reset)
    case .back where form == .secondFactor || form == .reset: show(.signIn)
    default: break
    }
    return []
  }

  private mutating func show(_ other: Form) { (form, code, problem, isResetSent) = (other, "", nil, false) }

  private mutating func send() -> [FinapticEffect] {
    (isBusy, problem, isResetSent) = (true, nil, false)
    switch form {
    case .signIn: return [.signIn(credential, code: nil)]
    case .signUp: return [.signUp(credential)]
    case .secondFactor: return [.signIn(credential, code: code)]
    case .reset: return [.resetPassword(email: email)]
    }
  }

  private mutating func fail(_ failure: FinapticErrorCode) {
    guard isBusy else { return }
    isBusy = false
    code = ""
    // The first attempt had no code, so it is asked for; a second one was wrong.
    problem =
      switch failure {
      case .mfaError where form == .signIn || form == .signUp: nil
      // The server takes an address or a password that it cannot read at all for a request that is not well formed.
      case .invalidArgument where form == .signUp: .failureCredential
      case .invalidArgument where form == .reset: .failureAddress
      // No connection has this code here, and nowhere else (finaptic §8.1).
      case .unknown where form == .reset: .failureOffline
      default: FinapticText(failure)
      }
    if failure == .mfaError, form != .reset { form = .secondFactor }
  }

  func screen(_ texts: ScreenTexts<FinapticText>) -> Screen<Event> {
    var elements: [ScreenElement<Event>] = problem.map { [.text(texts[$0], .problem)] } ?? []
    if isResetSent { elements.append(.text(texts[.resetSent], .success)) }
    let (title, act): (FinapticText, FinapticText)
    let address = ScreenInput<Event>("email", texts[.email], kind: .email, value: email, isEnabled: !isBusy) {
      .email($0)
    }
    switch form {
    case .secondFactor:
      (title, act) = (.factorTitle, .actionContinue)
      elements += [
        .text(texts[.factorText], .body),
        .input(
          ScreenInput(
            "code", texts[.factorCode], kind: .oneTimeCode(digits: Self.codeLength), value: code, isEnabled: !isBusy
          ) { .code($0) }),
      ]
    case .reset:
      (title, act) = (.resetTitle, .resetSend)
      elements += [.text(texts[.resetText], .body), .input(address)]
    case .signIn, .signUp:
      (title, act) = form == .signIn ? (.signInTitle, .signIn) : (.signUpTitle, .signUp)
      let kind = form == .signIn ? ScreenInputKind.password : .newPassword
      elements += [
        .input(address),
        .input(
          ScreenInput("password", texts[.password], kind: kind, value: password, isEnabled: !isBusy) { .password($0) }),
      ]
    }
    if isBusy {
      elements.append(.progress(texts[.loading]))
    } else {
      elements.append(.button(ScreenButton("send", texts[act], role: .primary, isEnabled: isReady, .send)))
      if form == .signIn { elements.append(.button(ScreenButton("forgot", texts[.forgotPassword], .forgot))) }
      if form == .signIn || form == .signUp {
        elements.append(.button(ScreenButton("change", texts[form == .signIn ? .toSignUp : .toSignIn], .change)))
      }
    }
    let leads = (form == .secondFactor || form == .reset) && !isBusy
    let state = isBusy ? ".busy" : problem != nil ? ".again" : isResetSent ? ".reset-sent" : ""
    return Screen(
      id: form.rawValue + state, title: texts[title], elements: elements,
      back: leads ? ScreenButton("back", texts[.actionBack], Event.back) : nil)
  }
}
