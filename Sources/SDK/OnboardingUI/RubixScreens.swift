// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import OnboardingScreens
public import RubixOnboarding

/// The whole onboarding of a Rubix customer. The server decides what is next; this shows it, and is where it was after
/// any restart of the app.
public struct RubixScreens: ScreenFlow, Equatable {
  /// What is shown.
  public enum Stage: Sendable, Equatable {
    case starting
    /// A call failed; trying again asks the server where the application stands.
    case failed(RubixError)
    case registering(RegistrationScreen)
    case working(RubixWork)
    /// The same work is asked for again right after it was done: the customer says when to try again.
    case stalled(RubixWork)
    /// Each is the first side of a document.
    case choosing([DocumentKind])
    case capturing(RubixPicture, CaptureScreen)
    /// Before a code is sent.
    case asking(OTPChannel, isSending: Bool, problem: OnboardingText?)
    case code(OTPChannel, CodeScreen)
    case loadingForm(ComplianceForm)
    case form(FormScreen)
    case loadingSlots(isTaken: Bool)
    case appointment(AppointmentScreen)
    case call(AppointmentView)
    /// The institution looks at it, or decides after the call.
    case waiting(afterCall: Bool)
    case over(OnboardingStatus)
    case updateRequired
  }

  /// Of texts.
  public private(set) var language: ScreenLanguage
  /// To agree to.
  public let documents: [ConsentDocument]
  /// Whether the institution registers only customers with an e-mail address.
  public let needsEmail: Bool
  /// What is shown.
  public internal(set) var stage = Stage.starting
  /// Where the application stood when the server was asked last.
  public internal(set) var view: OnboardingView?
  /// What was sent to whom, and when.
  var sent: [OTPChannel: SentCode] = [:]
  /// Why pictures are asked for again; shown with the next camera.
  public internal(set) var note: OnboardingText?
  /// The work that was done last.
  var lastWork: RubixWork?
  private var isWatched = false

  /// Begins.
  /// - Parameters:
  ///   - documents: to agree to, in the language.
  ///   - needsEmail: whether the institution registers only customers with an e-mail address.
  public init(language: ScreenLanguage, documents: [ConsentDocument], needsEmail: Bool = false) {
    (self.language, self.documents, self.needsEmail) = (language, documents, needsEmail)
  }

  var texts: OnboardingTexts { OnboardingTexts(language) }

  /// The same state in another language. What was told of a form's answers stays as it is.
  public func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    return copy
  }

  /// Takes an event in.
  public mutating func handle(_ event: RubixEvent) -> [RubixEffect] {
    let effects = react(event)
    let wantsWatch =
      switch stage {
      case .call, .waiting: true
      default: false
      }
    defer { isWatched = wantsWatch }
    return effects + (wantsWatch == isWatched ? [] : [wantsWatch ? .watch : .endWatch])
  }

  private mutating func react(_ event: RubixEvent) -> [RubixEffect] {
    switch (event, stage) {
    case (.started, .starting): return [.resume]
    case (.noApplication, _): begin(notice: nil)
    case (.stands(let view), _): return enter(view)
    case (.mismatched, .working): note = .noteMismatch
    case (.refused(let error), _): return refuse(error)
    case (.retry, .failed): return ask()
    case (.retry, .stalled(let work)): return begin(work)
    case (.anew, .over): begin(notice: nil)
    case (.look, .waiting), (.look, .call): return ask()
    case (.back, _): return goBack()
    case (.registration(let inner), .registering(var screen)):
      let effects = screen.handle(inner)
      stage = .registering(screen)
      return effects
    case (.chosen(let kind), .choosing(let kinds)) where kinds.contains(kind): capture(.document(kind))
    case (.challenge(let challenge), .working(.challenge)): capture(.liveness(challenge))
    case (.capture(let inner), .capturing(let picture, var screen)):
      let data = screen.handle(inner)
      stage = .capturing(picture, screen)
      return data.map { [picture.sending($0)] } ?? []
    case (.sendCode, .asking(let channel, false, _)):
      stage = .asking(channel, isSending: true, problem: nil)
      return [.sendCode(channel)]
    case (.sent(let answer, let channel, let now), _): sent[channel] = SentCode(answer, at: now)
    case (.code(let inner), .code(let channel, var screen)):
      let action = screen.handle(inner)
      stage = .code(channel, screen)
      switch action {
      case .check(let code)?: return [.checkCode(channel, TypedCode(digits: code))]
      case .resend?: return [.sendCode(channel)]
      case nil: return []
      }
    case (.template(let form, let template, let countries, let today), .loadingForm(let asked)) where form == asked:
      let screen = FormScreen(form, template, countries: countries, customer: view?.customer, today: atLeast(today))
      stage = screen.isTooNew ? .updateRequired : .form(screen)
    case (.form(let inner), .form(var screen)):
      let submission = screen.handle(inner, texts)
      stage = .form(screen)
      return submission.map { [.submit($0)] } ?? []
    case (.slots(let slots), .loadingSlots(let isTaken)):
      stage = .appointment(AppointmentScreen(slots, isTaken: isTaken))
    case (.appointment(let inner), .appointment(var screen)):
      let effects = screen.handle(inner)
      stage = effects == [.loadSlots] ? .loadingSlots(isTaken: false) : .appointment(screen)
      return effects
    case (.move, .call):
      stage = .loadingSlots(isTaken: false)
      return [.loadSlots]
    case (.join, .call(let appointment)): return Self.address(of: appointment).map { [.open($0)] } ?? []
    default: break
    }
    return []
  }

  // MARK: Where it stands

  mutating func begin(notice: OnboardingText?) {
    (view, sent, note, lastWork) = (nil, [:], nil, nil)
    stage = .registering(RegistrationScreen(documents, needsEmail: needsEmail, notice: notice))
  }

  mutating func ask() -> [RubixEffect] {
    stage = .starting
    return [.resume]
  }

  private mutating func enter(_ view: OnboardingView) -> [RubixEffect] {
    // A look that ends while the customer chooses another time changes nothing on the screen.
    self.view = view
    switch Resumption(view) {
    case .startFresh: begin(notice: nil)
    case .finished(let status): stage = .over(status)
    case .waiting(.agentCall(let appointment?)) where appointment.isAhead: stage = .call(appointment)
    case .waiting(.agentCall): stage = .waiting(afterCall: true)
    case .waiting: stage = .waiting(afterCall: false)
    case .continue(let next): return show(next.screen, in: view)
    }
    (note, lastWork) = (nil, nil)
    return []
  }

  private mutating func show(_ screen: OnboardingScreen, in view: OnboardingView) -> [RubixEffect] {
    switch screen {
    case .session: return work(.session)
    case .liveness: return work(.challenge)
    case .processDocument(let kind): return work(.reading(kind))
    case .verifyDocuments: return work(.comparing)
    case .screening: return work(.screening)
    default: break
    }
    lastWork = nil
    switch screen {
    case .selfie:
      let (taken, looks) = (view.session?.selfies ?? [], view.session?.selfieLooks ?? [])
      // Taken again is the one that is compared, which looks straight where looks are asked for.
      let compared = zip(SelfieSubType.known, looks).first { $1 == .straight }?.0 ?? .faceEnrollment
      let subType = SelfieSubType.known.first { !taken.contains($0) } ?? compared
      let look = zip(SelfieSubType.known, looks).first { $0.0 == subType }?.1
      capture(look.map { .selfieLooking(subType, $0) } ?? .selfie(subType))
    case .uploadDocument(let kind):
      let kinds = Self.choices(view)
      if kinds.count > 1 { stage = .choosing(kinds) } else { capture(.document(kind)) }
    case .sendOTP(let channel): stage = .asking(channel, isSending: false, problem: nil)
    case .verifyOTP(let channel): stage = .code(channel, sent[channel]?.screen ?? CodeScreen())
    case .crs: return load(.crs)
    case .fatca: return load(.fatca)
    case .kyc: return load(.kyc)
    case .appointment:
      stage = .loadingSlots(isTaken: false)
      return [.loadSlots]
    case .agentVerification: stage = .waiting(afterCall: true)
    case .updateRequired: stage = .updateRequired
    // Begun above.
    case .session, .liveness, .processDocument, .verifyDocuments, .screening: break
    }
    return []
  }

  private mutating func load(_ form: ComplianceForm) -> [RubixEffect] {
    stage = .loadingForm(form)
    return [.loadForm(form)]
  }

  /// Work that has just been done and is next again is not begun by itself: it would go on for ever.
  private mutating func work(_ work: RubixWork) -> [RubixEffect] {
    // The challenge leads to a camera, not to another step.
    guard work != lastWork || work == .challenge else {
      stage = .stalled(work)
      return []
    }
    return begin(work)
  }

  private mutating func begin(_ work: RubixWork) -> [RubixEffect] {
    (stage, lastWork) = (.working(work), work)
    return [work.effect]
  }

  mutating func capture(_ picture: RubixPicture) {
    var screen = picture.capture(note)
    screen.words = view?.nextSteps.first?.message
    stage = .capturing(picture, screen)
    note = nil
  }

  /// The documents with which the customer may go on; of a card its front while that is missing.
  static func choices(_ view: OnboardingView) -> [DocumentKind] {
    let kinds = view.nextSteps.compactMap { step -> DocumentKind? in
      if case .uploadDocument(let kind) = step.screen { kind } else { nil }
    }
    return kinds.filter { $0 != .nationalIDBack || !kinds.contains(.nationalIDFront) }
  }

  /// The day by the device, or by the server's last change when that is later: a device's clock may be behind, and a
  /// sandbox's ahead. A form is signed on the server's day, give or take one (rubix-onboarding §7.1).
  private func atLeast(_ today: WireDate) -> WireDate {
    guard let changed = view?.updatedOn else { return today }
    return max(today, WireDate(daysSince1970: Int(changed.millisecondsSince1970 / 86_400_000)))
  }
}

/// A code that was sent, as the server told.
struct SentCode: Sendable, Equatable {
  let answer: SendOTPResponse
  let at: WireInstant

  init(_ answer: SendOTPResponse, at: WireInstant) { (self.answer, self.at) = (answer, at) }

  var screen: CodeScreen {
    let wait = Int64(max(0, min(answer.resendIn, 86_400))) * 1000
    return CodeScreen(
      destination: answer.destination, digits: answer.codeLength,
      resendAt: WireInstant(millisecondsSince1970: at.millisecondsSince1970 + wait), canResend: answer.sendsLeft > 0)
  }
}

extension AppointmentView {
  /// Whether the call is still to be made, or under way.
  var isAhead: Bool { status == .scheduled || status == .inCall }
}
