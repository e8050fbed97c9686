// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import OnboardingScreens
import RubixOnboarding
import ScreenSpecimens
import Testing

@testable import OnboardingUI

@Suite("Onboarding screens: consents and registration")
struct RegistrationTests {
  @Test(
    "phone numbers as people type them",
    arguments: [
      ("+965 5000 1001", "+96550001001"), ("00965-5000-1001", "+96550001001"), ("+٩٦٥ ٥٠٠٠ ١٠٠١", "+96550001001"),
      ("+1 (212) 555-0100", "+12125550100"), ("50001001", nil), ("+0123456789", nil), ("+965abc5000", nil),
      ("+1234567890123456", nil), ("+12345", nil), ("", nil), ("+96550001001;ext=1", nil),
    ] as [(String, String?)])
  func phones(typed: String, number: String?) { #expect(Contact.phone(typed) == number) }

  @Test(
    "e-mail addresses",
    arguments: [
      (" anna@example.com ", "anna@example.com"), ("anna", nil), ("@example.com", nil), ("a@b", nil), ("a@.b", nil),
      ("a@b.", nil), ("a@b@c.example", nil), ("anna@mail.example", "anna@mail.example"),
    ] as [(String, String?)])
  func emails(typed: String, address: String?) { #expect(Contact.email(typed) == address) }

  @Test("registration begins when everything was agreed to and both contacts can be right")
  func order() {
    var screen = RegistrationScreen(RubixSpecimen.documents, needsEmail: true)
    #expect(screen.handle(.next) == [] && screen.page == .consent)
    _ = screen.handle(.agreed(.terms, true))
    _ = screen.handle(.agreed(.biometrics, true))
    _ = screen.handle(.agreed(.terms, false))
    #expect(screen.handle(.next) == [])
    _ = screen.handle(.agreed(.terms, true))
    #expect(screen.handle(.next) == [.noteConsents(RubixSpecimen.documents)] && screen.page == .contact)
    _ = screen.handle(.phone("+965 5000 1001"))
    #expect(screen.handle(.register) == [] && screen.emailProblem == .contactEmailWrong && screen.phoneProblem == nil)
    _ = screen.handle(.email("anna@example.com"))
    #expect(screen.emailProblem == nil)
    let details = RegistrationDetails(phone: "+96550001001", email: "anna@example.com")
    #expect(screen.handle(.register) == [.register(details)] && screen.page == .registering)
    #expect(screen.handle(.register) == [], "it is on its way")
  }

  @Test(
    "a refusal is shown where it belongs, and one of what this page does not ask for is no wrong contact",
    arguments: [
      (["/contact_no"], true), (["/email", "/consents"], true), (["/consents/0"], false), (["/device_id"], false),
      ([], false),
    ] as [([String], Bool)])
  func refused(fields: [String], isHere: Bool) {
    var app = RubixSpecimen.start()
    for event in [RubixEvent.started, .noApplication] { _ = app.handle(event) }
    _ = app.handle(.refused(RubixSpecimen.problem(.validationFailed, fields: fields)))
    switch app.stage {
    case .registering(let screen): #expect(isHere && (screen.phoneProblem != nil || screen.emailProblem != nil))
    case .failed: #expect(!isHere)
    default: Issue.record("\(app.stage)")
    }
  }

  @Test("without a wish for an e-mail address an empty one counts as left out, and a wrong one is refused")
  func optional() {
    var screen = RegistrationScreen([], needsEmail: false)
    _ = screen.handle(.next)
    _ = screen.handle(.phone("+96550001001"))
    _ = screen.handle(.email("anna"))
    #expect(screen.handle(.register) == [])
    _ = screen.handle(.email(" "))
    #expect(screen.handle(.register) == [.register(RegistrationDetails(phone: "+96550001001", email: nil))])
  }
}
