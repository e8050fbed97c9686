public import CryptoPrimitives
public import Finaptic
internal import GatehouseUI

/// Signing in or up, and the second factor when the server asks for one.
public struct SignInScreen: Sendable, Equatable, Redacted {
  /// What happens.
  public enum Event: Sendable, Redacted {
    case email(String)
    case password(String)
    case code(String)
    /// Signs in or up.
    case send
    /// From one form to the other.
    case change
    case back
    case failed(FinapticErrorCode)
  }

  /// Which form is shown; the raw value is the screen's id.
  public enum Form: String, Sendable {
    case signIn = "sign-in"
    case signUp = "sign-up"
    case secondFactor = "second-factor"
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

  init(problem: FinapticText? = nil) { self.problem = problem }

  private var isReady: Bool {
    form == .secondFactor ? code.count == Self.codeLength : email.contains("@") && !password.isEmpty
  }

  private var credential: Credential { Credential(email: email, password: password) }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    if case .failed(let code) = event {
      fail(code)
      return []
    }
    guard !isBusy else { return [] }
    switch event {
    case .email(let text): email = String(text.prefix(Self.emailMax))
    case .password(let text): password = String(text.prefix(Self.passwordMax))
    case .code(let text):
      code = TypedDigits.ascii(text, max: Self.codeLength)
      return isReady ? send() : []
    case .send where isReady: return send()
    case .change where form != .secondFactor: (form, problem) = (form == .signIn ? .signUp : .signIn, nil)
    case .back where form == .secondFactor: (form, code, problem) = (.signIn, "", nil)
    default: break
    }
    return []
  }

  private mutating func send() -> [FinapticEffect] {
    (isBusy, problem) = (true, nil)
    switch form {
    case .signIn: return [.signIn(credential, code: nil)]
    case .signUp: return [.signUp(credential)]
    case .secondFactor: return [.signIn(credential, code: code)]
    }
  }

  private mutating func fail(_ failure: FinapticErrorCode) {
    guard isBusy else { return }
    isBusy = false
    code = ""
    // The first attempt had no code, so it is asked for; a second one was wrong.
    problem =
      switch failure {
      case .mfaError where form != .secondFactor: nil
      // The server takes an address or a password that it cannot read at all for a request that is not well formed.
      case .invalidArgument where form == .signUp: .failureCredential
      default: FinapticText(failure)
      }
    if failure == .mfaError { form = .secondFactor }
  }

  func screen(_ texts: ScreenTexts<FinapticText>) -> Screen<Event> {
    var elements: [ScreenElement<Event>] = problem.map { [.text(texts[$0], .problem)] } ?? []
    let (title, act): (FinapticText, FinapticText)
    if form == .secondFactor {
      (title, act) = (.factorTitle, .actionContinue)
      elements += [
        .text(texts[.factorText], .body),
        .input(
          ScreenInput(
            "code", texts[.factorCode], kind: .oneTimeCode(digits: Self.codeLength), value: code, isEnabled: !isBusy
          ) { .code($0) }),
      ]
    } else {
      (title, act) = form == .signIn ? (.signInTitle, .signIn) : (.signUpTitle, .signUp)
      elements += [
        .input(ScreenInput("email", texts[.email], kind: .email, value: email, isEnabled: !isBusy) { .email($0) }),
        .input(
          ScreenInput("password", texts[.password], kind: .password, value: password, isEnabled: !isBusy) {
            .password($0)
          }),
      ]
    }
    if isBusy {
      elements.append(.progress(texts[.loading]))
    } else {
      elements.append(.button(ScreenButton("send", texts[act], role: .primary, isEnabled: isReady, .send)))
      if form != .secondFactor {
        elements.append(.button(ScreenButton("change", texts[form == .signIn ? .toSignUp : .toSignIn], .change)))
      }
    }
    let back = form == .secondFactor && !isBusy ? ScreenButton("back", texts[.actionBack], Event.back) : nil
    return Screen(
      id: form.rawValue + (isBusy ? ".busy" : problem == nil ? "" : ".again"), title: texts[title],
      elements: elements, back: back)
  }
}
