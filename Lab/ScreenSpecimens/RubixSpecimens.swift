// SPDX-License-Identifier: Apache-2.0

package import GatehouseUI
package import OnboardingUI
package import RubixOnboarding

/// What the Rubix onboarding shows where no server is.
package enum RubixSpecimen {
  package static let documents = [
    ConsentDocument(code: .terms, version: "2026-01", title: "Terms", text: "How accounts of Utopia Bank are opened."),
    ConsentDocument(
      code: .biometrics, version: "2026-01", title: "Pictures of your face",
      text: "They are compared with your document."),
  ]

  package static func start(_ language: ScreenLanguage = .english) -> RubixScreens {
    RubixScreens(language: language, documents: documents, needsEmail: true)
  }

  /// - Parameter paths: of the next steps.
  package static func view(
    _ paths: String..., status: OnboardingStatus = .pending, selfies: [SelfieSubType] = [],
    appointment: AppointmentView? = nil
  ) -> OnboardingView {
    OnboardingView(
      id: "0192f0a0-0000-7000-8000-000000000001", status: status, lastStep: .registrationInitiated, completedSteps: [],
      nextSteps: paths.map { NextStep(method: "POST", path: $0) },
      customer: CustomerView(
        firstName: "ANNA MARIA", lastName: "ERIKSSON", contactNo: "+965•••••001", email: "a•••@example.com",
        dateOfBirth: WireDate(year: 1974, month: 8, day: 12)),
      flags: OnboardingFlags(isContactNoVerified: false, isEmailVerified: false, isAMLVerified: false),
      session: SessionSummary(id: "s", status: .active, selfies: selfies), documents: [], appointment: appointment,
      createdOn: ScreenSpecimen.now, updatedOn: ScreenSpecimen.now, expiresOn: ScreenSpecimen.now)
  }

  /// An hour from now.
  package static func appointment(
    _ status: AppointmentStatus = .scheduled, joinURL: String? = nil, isRecorded: Bool? = nil
  ) -> AppointmentView {
    AppointmentView(
      id: "a", callTime: later(3600), status: status, joinURLAvailableFrom: later(3300), joinURL: joinURL,
      isRecorded: isRecorded)
  }

  package static func later(_ seconds: Int64) -> WireInstant {
    WireInstant(millisecondsSince1970: ScreenSpecimen.now.millisecondsSince1970 + seconds * 1000)
  }

  package static let uploads = [
    "/documents/nationality-id-front/upload", "/documents/passport/upload", "/documents/driving-license/upload",
  ]
  package static let today = WireDate(year: 2026, month: 11, day: 21) ?? WireDate(daysSince1970: 0)
  package static let countries = [
    ReferenceCountry(name: "Kuwait", alpha2: "KW", alpha3: "KWT"),
    ReferenceCountry(name: "Qatar", alpha2: "QA", alpha3: "QAT"),
    ReferenceCountry(name: "Sweden", alpha2: "SE", alpha3: "SWE"),
  ]
  package static let slots = [3600, 4500, 90_000].map { (seconds: Int64) in
    Slot(id: "\(seconds)", start: later(seconds), end: later(seconds + 900), capacityLeft: 1)
  }
  package static let sent = SendOTPResponse(
    destination: "+965•••••001", expiresIn: 300, resendIn: 60, codeLength: 6, sendsLeft: 2)

  /// One question of each type, and one that depends on another.
  package static let template = ComplianceTemplate(
    id: "t", name: "KYC", version: 1,
    sections: [
      .init(
        id: "work", name: "Work", nameArabic: "العمل",
        questions: [
          .init(
            id: "job", title: "What do you do?", titleArabic: "ماذا تعمل؟", type: .choice,
            rules: .init(required: true),
            options: [
              .init(id: "employed", name: "Employed", nameArabic: "موظف"),
              .init(id: "retired", name: "Retired", nameArabic: "متقاعد"),
            ]),
          .init(
            id: "employer", title: "Employer", titleArabic: "جهة العمل", type: .text,
            rules: .init(required: true, max: 20, dependsOn: .init(questionID: "job", anyOf: ["employed"]))),
        ]),
      .init(
        id: "residences", name: "Residences", nameArabic: "أماكن الإقامة", repeatsMax: 2,
        questions: [
          .init(id: "country", title: "Country", titleArabic: "البلد", type: .country, rules: .init(required: true))
        ]),
      .init(
        id: "declaration", name: "Declaration", nameArabic: "الإقرار",
        questions: [
          .init(
            id: "true", title: "It is true.", titleArabic: "هذا صحيح.", type: .boolean, rules: .init(required: true)),
          .init(
            id: "signature", title: "Your name", titleArabic: "اسمك", type: .signature, rules: .init(required: true)),
        ]),
    ])

  /// What is typed into a field in a walk.
  package static func typed(_ field: String) -> [String] {
    switch field {
    case "phone": ["+965 5000 1001", "5000"]
    case "email": ["anna@example.com", "anna"]
    case "code": ["123456", "12"]
    case _ where field.hasSuffix("country"): ["Kuwait", "S"]
    default: ["Utopia"]
    }
  }

  /// The walk through all of it.
  package static func walk(_ look: (MachineWalk<RubixScreens>.Attempt) -> Void = { _ in }) -> MachineWalk<RubixScreens>
  {
    MachineWalk(from: start(), answers: answers, typed: typed, key: key, look)
  }

  /// What tells states apart whose screens are the same.
  private static func key(_ app: RubixScreens) -> String {
    switch app.stage {
    case .working(let work): "\(work) \(app.note?.rawValue ?? "")"
    case .loadingSlots(let isTaken): "\(isTaken)"
    case .form(let form): "\(form.values.keys.sorted()) \(form.rows)"
    case .registering(let screen): "\(screen.agreed.count) \(screen.phone) \(screen.email)"
    case .code(_, let code): code.typed
    default: ""
    }
  }
}
