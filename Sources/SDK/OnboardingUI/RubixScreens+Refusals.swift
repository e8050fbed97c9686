// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import OnboardingScreens
internal import RubixOnboarding

extension RubixScreens {
  /// Refusals of a picture, and what they tell the customer.
  private static let pictures: [ProblemCode: OnboardingText] = [
    .imageQuality: .refusedQuality, .documentUnreadable: .refusedUnreadable, .wrongDocumentType: .refusedType,
    .livenessFailed: .refusedLiveness, .unsupportedMedia: .refusedFormat, .payloadTooLarge: .refusedFormat,
  ]
  /// The application moved on, by another call or another device: it is asked where it stands.
  private static let moved: Set<ProblemCode> = [
    .stepOutOfOrder, .stepAlreadyCompleted, .stepInProgress, .applicationInReview, .applicationClosed,
  ]

  /// A call gave no result.
  mutating func refuse(_ error: RubixError) -> [RubixEffect] {
    if error == .sessionLost {
      begin(notice: .failureSession)
      return []
    }
    guard case .problem(let problem) = error else { return fail(error) }
    switch stage {
    case .capturing(let picture, var screen):
      guard let told = Self.pictures[problem.code] else { return moveOn(problem) }
      // A challenge is answered once: the next picture answers another one.
      if case .liveness = picture {
        (stage, lastWork, note) = (.working(.challenge), .challenge, told)
        return [.loadChallenge]
      }
      screen.refuse(told)
      stage = .capturing(picture, screen)
    case .working:
      guard let told = Self.pictures[problem.code] else { return moveOn(problem) }
      note = told
      return [.resume]
    case .registering(var screen) where problem.code == .contactInUse || problem.code == .validationFailed:
      guard screen.refuse(problem) else { return fail(error) }
      stage = .registering(screen)
    case .asking(let channel, _, _):
      guard let told = Self.told(problem) else { return moveOn(problem) }
      stage = .asking(channel, isSending: false, problem: told)
    case .code(let channel, var screen):
      guard let told = Self.told(problem) else { return moveOn(problem) }
      screen.refuse(told == .codeWrong ? .wrongCode(left: problem.attemptsLeft) : OnboardingMessage(told))
      stage = .code(channel, screen)
    case .form(var screen) where problem.code == .validationFailed:
      screen.refuse(problem.errors ?? [], texts)
      stage = .form(screen)
    case .appointment where problem.code == .slotTaken || problem.code == .slotExpired:
      stage = .loadingSlots(isTaken: true)
      return [.loadSlots]
    case .starting, .failed, .stalled, .call, .waiting, .over, .updateRequired, .choosing, .registering, .loadingForm,
      .form, .loadingSlots, .appointment:
      return moveOn(problem)
    }
    return []
  }

  private mutating func moveOn(_ problem: ProblemDetails) -> [RubixEffect] {
    // While it is asked where the application stands this would go on for ever.
    guard Self.moved.contains(problem.code), stage != .starting else { return fail(.problem(problem)) }
    if case .working = stage { return [.resume] }
    return ask()
  }

  private mutating func fail(_ error: RubixError) -> [RubixEffect] {
    stage = .failed(error)
    return []
  }

  /// What a refusal of a code tells the customer.
  private static func told(_ problem: ProblemDetails) -> OnboardingText? {
    switch problem.code {
    case .otpMismatch, .validationFailed: .codeWrong
    case .otpExpired: .codeExpired
    case .otpLocked: .codeLocked
    case .rateLimited: .failureTooOften
    default: nil
    }
  }

  /// What is told of a failure.
  static func text(of error: RubixError) -> OnboardingText {
    switch error {
    case .transport: .failureOffline
    case .tokenStore: .failureStore
    case .sessionLost: .failureSession
    case .decoding: .updateText
    case .problem(let problem): problem.code == .rateLimited ? .failureTooOften : .failureOther
    }
  }

  /// Leads back where that does not undo what the server knows.
  mutating func goBack() -> [RubixEffect] {
    switch stage {
    case .registering(var screen):
      if screen.goBack() { stage = .registering(screen) }
    case .capturing(.document, let screen) where screen.phase != .sending:
      let kinds = view.map { Self.choices($0) } ?? []
      if kinds.count > 1 { stage = .choosing(kinds) }
    case .form(var screen):
      if screen.goBack(texts) { stage = .form(screen) }
    // Another time for a call that is booked: it stays as it is.
    case .appointment(let screen) where isMoving && !screen.isBooking: return ask()
    default: break
    }
    return []
  }

  /// Whether a call is booked whose time is being changed.
  var isMoving: Bool { view?.appointment?.isAhead == true }

  /// Where to join a call; nil before it can be joined. Only addresses of the web are opened.
  static func address(of appointment: AppointmentView) -> URL? {
    guard let url = appointment.joinURL.flatMap({ URL(string: $0) }), url.scheme == "https" || url.scheme == "http"
    else { return nil }
    return url
  }
}
