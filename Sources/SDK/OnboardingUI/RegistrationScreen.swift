// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import GatehouseUI
public import OnboardingScreens
public import RubixOnboarding

/// Consents, then how the customer can be reached.
public struct RegistrationScreen: Sendable, Equatable, Redacted {
  /// Which page is shown.
  public enum Page: String, Sendable {
    case consent, contact, registering
  }

  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case agreed(ConsentCode, Bool)
    case next
    case phone(String)
    case email(String)
    case register
  }

  /// To agree to, in this order.
  public let documents: [ConsentDocument]
  /// Whether the institution registers only customers with an e-mail address.
  public let needsEmail: Bool
  /// Which page is shown.
  public private(set) var page = Page.consent
  /// What was agreed to.
  public private(set) var agreed: Set<ConsentCode> = []
  /// As typed.
  public private(set) var phone = ""
  /// As typed.
  public private(set) var email = ""
  /// What is wrong; nil when nothing is, or nothing was judged yet.
  public private(set) var phoneProblem, emailProblem: OnboardingText?
  /// Why it begins anew.
  public private(set) var notice: OnboardingText?

  /// - Parameter notice: why it begins anew; nil the first time.
  public init(_ documents: [ConsentDocument], needsEmail: Bool, notice: OnboardingText? = nil) {
    (self.documents, self.needsEmail, self.notice) = (documents, needsEmail, notice)
  }

  /// Whether everything was agreed to.
  public var agreesToAll: Bool { documents.allSatisfy { agreed.contains($0.code) } }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [RubixEffect] {
    switch (event, page) {
    case (.agreed(let code, let agrees), .consent):
      if agrees { agreed.insert(code) } else { agreed.remove(code) }
    case (.next, .consent) where agreesToAll:
      (page, notice) = (.contact, nil)
      return [.noteConsents(documents)]
    case (.phone(let text), .contact): (phone, phoneProblem) = (String(text.prefix(Contact.phoneMax)), nil)
    case (.email(let text), .contact): (email, emailProblem) = (String(text.prefix(Contact.emailMax)), nil)
    case (.register, .contact): return register()
    default: break
    }
    return []
  }

  private mutating func register() -> [RubixEffect] {
    let (number, address) = (Contact.phone(phone), Contact.email(email))
    let isEmailGiven = !email.allSatisfy(\.isWhitespace)
    phoneProblem = number == nil ? .contactPhoneWrong : nil
    emailProblem = address == nil && (isEmailGiven || needsEmail) ? .contactEmailWrong : nil
    guard let number, emailProblem == nil else { return [] }
    page = .registering
    return [.register(RegistrationDetails(phone: number, email: address))]
  }

  /// The server did not take it.
  /// - Returns: false when what it refused is not asked for on this page.
  @discardableResult
  public mutating func refuse(_ problem: ProblemDetails) -> Bool {
    page = .contact
    let fields = (problem.errors ?? []).map(\.field)
    if problem.code == .contactInUse {
      let isEmail = fields.contains { $0.hasPrefix("/email") }
      (phoneProblem, emailProblem) = isEmail ? (nil, .contactInUse) : (.contactInUse, nil)
    } else {
      phoneProblem = fields.contains { $0.hasPrefix("/contact_no") } ? .contactPhoneWrong : nil
      emailProblem = fields.contains { $0.hasPrefix("/email") } ? .contactEmailWrong : nil
    }
    return phoneProblem != nil || emailProblem != nil
  }

  /// Leads back to the consents.
  /// - Returns: false when this is the first page.
  mutating func goBack() -> Bool {
    guard page == .contact else { return false }
    page = .consent
    return true
  }

  /// What is shown.
  public func screen(_ texts: OnboardingTexts) -> Screen<Event> {
    switch page {
    case .consent:
      let parts = documents.flatMap { document -> [ScreenElement<Event>] in
        let agrees = ScreenToggle<Event>(
          "consent-\(document.code.rawValue)", texts[.consentAgree, ["title": document.title]],
          isOn: agreed.contains(document.code)
        ) { .agreed(document.code, $0) }
        return [.text(document.title, .heading), .text(document.text, .body), .toggle(agrees)]
      }
      return Screen(
        id: notice == nil ? "consent" : "consent.anew", title: texts[.consentTitle],
        elements: (notice.map { [.text(texts[$0], .problem)] } ?? []) + [.text(texts[.consentText], .body)] + parts
          + [
            .button(ScreenButton("next", texts[.actionContinue], role: .primary, isEnabled: agreesToAll, .next))
          ])
    case .contact, .registering:
      let isAsking = page == .contact
      let isRefused = phoneProblem != nil || emailProblem != nil
      return Screen(
        id: isAsking ? (isRefused ? "contact.again" : "contact") : "contact.registering", title: texts[.contactTitle],
        elements: [
          .input(
            ScreenInput(
              "phone", texts[.contactPhone], kind: .phone, value: phone, problem: phoneProblem.map { texts[$0] } ?? "",
              isEnabled: isAsking
            ) { .phone($0) }),
          .input(
            ScreenInput(
              "email", texts[needsEmail ? .contactEmail : .contactEmailOptional], kind: .email, value: email,
              problem: emailProblem.map { texts[$0] } ?? "", isEnabled: isAsking
            ) { .email($0) }),
          isAsking
            ? .button(ScreenButton("register", texts[.actionContinue], role: .primary, .register))
            : .progress(texts[.registering]),
        ])
    }
  }
}

/// Phone numbers and addresses as people type them.
enum Contact {
  static let phoneMax = 32
  static let emailMax = 254
  /// Digits after the plus sign (ITU-T E.164 §6).
  private static let digits = 7...15

  /// - Returns: E.164; nil when the text is no number with a country code.
  static func phone(_ text: String) -> String? {
    let kept = text.filter { !$0.isWhitespace && !"-().\u{200e}\u{200f}".contains($0) }
    let number = kept.hasPrefix("00") ? kept.dropFirst(2) : kept.hasPrefix("+") ? kept.dropFirst() : nil
    guard let number, digits.contains(number.count) else { return nil }
    let ascii = TypedDigits.ascii(String(number), max: digits.upperBound)
    // Everything that is no digit was left out.
    guard ascii.count == number.count, ascii.first != "0" else { return nil }
    return "+\(ascii)"
  }

  /// - Returns: the address; nil when it cannot be one. The code that is sent there tells whether it is.
  static func email(_ text: String) -> String? {
    let address = text.filter { !$0.isWhitespace }
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].split(separator: ".").count > 1,
      !parts[1].hasPrefix("."), !parts[1].hasSuffix("."), address.count <= emailMax
    else { return nil }
    return address
  }
}
