// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
internal import Foundation
public import OnboardingScreens
public import RubixOnboarding

/// What happens to an onboarding: what the customer does, and what calls answer.
public enum RubixEvent: Sendable, Redacted {
  /// The app comes up.
  case started
  // MARK: What calls answer
  /// There is no application on this device, or none that the server lets us into.
  case noApplication
  /// Where the application stands, after a call or a look.
  case stands(OnboardingView)
  /// The pictures did not agree; where the application stands follows.
  case mismatched
  case challenge(LivenessChallenge?)
  case sent(SendOTPResponse, OTPChannel, at: WireInstant)
  case template(ComplianceForm, ComplianceTemplate, [ReferenceCountry], today: WireDate)
  case slots([Slot])
  case refused(RubixError)
  // MARK: What the customer does
  case retry, back
  /// Begins a new application after the last one is over.
  case anew
  case registration(RegistrationScreen.Event)
  case chosen(DocumentKind)
  case capture(CaptureScreen.Event)
  case sendCode
  case code(CodeScreen.Event)
  case form(FormScreen.Event)
  case appointment(AppointmentScreen.Event)
  case join, move, look
}

/// What the server does while the customer waits.
public enum RubixWork: Sendable, Equatable {
  /// A capture session is opened.
  case session
  /// The challenge of the liveness check is asked for.
  case challenge
  /// A document is read.
  case reading(DocumentKind)
  /// The pictures are compared with each other.
  case comparing
  /// The customer is screened.
  case screening

  var effect: RubixEffect {
    switch self {
    case .session: .createSession
    case .challenge: .loadChallenge
    case .reading(let kind): .read(kind)
    case .comparing: .compare
    case .screening: .screen
    }
  }

  var name: String {
    switch self {
    case .session: "session"
    case .challenge: "challenge"
    case .reading: "reading"
    case .comparing: "comparing"
    case .screening: "screening"
    }
  }

  var text: OnboardingText {
    switch self {
    case .session, .challenge: .workPreparing
    case .reading: .workReading
    case .comparing: .workComparing
    case .screening: .workChecking
    }
  }
}

/// What a picture is of.
public enum RubixPicture: Sendable, Equatable {
  case document(DocumentKind)
  case selfie(SelfieSubType)
  /// A selfie of which the institution says which way the face looks.
  case selfieLooking(SelfieSubType, SelfieLook)
  /// With what the customer is asked to do; nil where the server asks for nothing.
  case liveness(LivenessChallenge?)

  /// Names it in the ids of screens.
  var name: String {
    switch self {
    case .document(let kind): kind.rawValue
    case .selfie, .selfieLooking: "selfie"
    case .liveness: "liveness"
    }
  }

  /// What sends it.
  func sending(_ data: Data) -> RubixEffect {
    switch self {
    case .document(let kind): .sendDocument(data, kind)
    case .selfie(let subType), .selfieLooking(let subType, _): .sendSelfie(data, subType)
    case .liveness(let challenge): .sendLiveness(data, challenge)
    }
  }

  /// The camera for it.
  /// - Parameter problem: why another picture is needed; nil for the first.
  func capture(_ problem: OnboardingText?) -> CaptureScreen {
    switch self {
    case .document(let kind):
      return CaptureScreen(kind.subject, kind == .passport ? .passport : .card, problem: problem)
    case .selfie(let subType):
      let steps: [SelfieSubType: OnboardingText] = [
        .faceCapture: .captureSelfieFirst, .faceEnrollment: .captureSelfieSecond,
        .deviceRegistration: .captureSelfieThird,
      ]
      return CaptureScreen(.captureSelfie, .face, instruction: steps[subType] ?? .captureLook, problem: problem)
    case .selfieLooking(_, let look):
      let told: [SelfieLook: OnboardingText] = [.left: .captureLookLeft, .right: .captureLookRight]
      return CaptureScreen(.captureSelfie, .face, instruction: told[look] ?? .captureLook, problem: problem)
    case .liveness(let challenge):
      let told: OnboardingText =
        switch challenge?.kind {
        case .headTurn?: .captureTurnHead
        case .blink?: .captureBlink
        default: .captureLook
        }
      return CaptureScreen(.captureLiveness, .face, instruction: told, problem: problem)
    }
  }
}

extension DocumentKind {
  /// What a picture shows.
  var subject: OnboardingText {
    switch self {
    case .nationalIDFront: .captureIDFront
    case .nationalIDBack: .captureIDBack
    case .passport: .capturePassport
    case .drivingLicense: .captureLicence
    }
  }

  /// What is chosen in the list of documents.
  var title: OnboardingText {
    switch self {
    case .nationalIDFront, .nationalIDBack: .documentIDCard
    case .passport: .documentPassport
    case .drivingLicense: .documentLicence
    }
  }
}
