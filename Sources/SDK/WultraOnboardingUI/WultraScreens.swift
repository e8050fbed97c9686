// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import OnboardingScreens
public import WultraDigitalOnboarding

/// The whole onboarding of Wultra: from who the user claims to be to a verified user. The server says what to show, and
/// this shows it; it is where it was after any restart of the app.
public struct WultraScreens: ScreenFlow {
  /// What is shown.
  public enum Stage: Sendable {
    case starting
    /// A call failed; trying again asks where things stand.
    case failed(WultraRefusal)
    case identifying(isBusy: Bool, problem: OnboardingText?)
    case activating(CodeScreen)
    case choosingPIN(PINStage)
    case intro(isBusy: Bool)
    case consent(String, isBusy: Bool)
    case choosing(isBusy: Bool, isTooFew: Bool)
    case scanning(ScanStage)
    case processing(WDOVerificationState.ProcessingItem)
    case presence(isBusy: Bool, problem: OnboardingText?)
    case code(CodeScreen)
    case verificationFailed(isBusy: Bool)
    case over(WDOVerificationState.EndstateReason, isBusy: Bool)
    case success
  }

  /// Of texts.
  public private(set) var language: ScreenLanguage
  /// What the institution knows its clients by.
  public let fields: [IdentityField]
  /// How many digits the PIN has.
  public let pinDigits: Int
  /// What is shown.
  public internal(set) var stage = Stage.starting
  /// What was typed, by field.
  public internal(set) var identity: [String: String] = [:]
  /// The documents that are chosen.
  public internal(set) var documents: Set<WDODocumentType> = []
  /// Which documents will do; nil when the server does not say.
  public internal(set) var requirements: WDODocumentRequirements?

  /// Begins.
  public init(language: ScreenLanguage, fields: [IdentityField], pinDigits: Int = 6) {
    (self.language, self.fields, self.pinDigits) = (language, fields, pinDigits)
  }

  var texts: OnboardingTexts { OnboardingTexts(language) }

  /// The same state in another language.
  public func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    return copy
  }

  /// Takes an event in.
  public mutating func handle(_ event: WultraEvent) -> [WultraEffect] {
    switch (event, stage) {
    case (.started, .starting): return [.look]
    case (.stranger, _):
      (documents, requirements, stage) = ([], nil, .identifying(isBusy: false, problem: nil))
      return [.endFollow]
    case (.codeSent(let resendAt), .code): stage = .code(CodeScreen(resendAt: resendAt))
    case (.codeSent(let resendAt), _): stage = .activating(CodeScreen(resendAt: resendAt))
    case (.activated, .activating): stage = .choosingPIN(PINStage(digits: pinDigits))
    case (.verifies, _):
      stage = .starting
      return [.follow]
    case (.stands(let state), _): return enter(state)
    case (.requirements(let requirements), _): self.requirements = requirements
    case (.refused(let refusal), _): return refuse(refusal)
    case (.retry, .failed):
      stage = .starting
      return [.endFollow, .look]
    case (.code(let inner), .activating(var screen)):
      let action = screen.handle(inner)
      stage = .activating(screen)
      return effects(of: action, check: { .activate($0) }, resend: .resendActivation)
    case (.code(let inner), .code(var screen)):
      let action = screen.handle(inner)
      stage = .code(screen)
      return effects(of: action, check: { .verify($0) }, resend: .resend)
    case (.capture(let inner), .scanning(var scan)):
      let pictures = scan.handle(inner)
      stage = .scanning(scan)
      return pictures.map { [.submit($0)] } ?? []
    default: return act(event)
    }
    return []
  }

  private func effects(
    of action: CodeScreen.Action?, check: (TypedDigitsOnly) -> WultraEffect, resend: WultraEffect
  ) -> [WultraEffect] {
    switch action {
    case .check(let code)?: [check(TypedDigitsOnly(digits: code))]
    case .resend?: [resend]
    case nil: []
    }
  }

  /// What the user does on screens without a part of their own.
  private mutating func act(_ event: WultraEvent) -> [WultraEffect] {
    switch (event, stage) {
    case (.typed(let text, let field), .identifying(false, _)): identity[field] = String(text.prefix(Self.typedMax))
    case (.identify, .identifying(false, _)) where isIdentified:
      stage = .identifying(isBusy: true, problem: nil)
      return [.start(identity)]
    case (.pin(let text), .choosingPIN(var pin)):
      let chosen = pin.type(TypedDigits.ascii(text, max: pinDigits))
      stage = .choosingPIN(pin)
      return chosen.map { [.persist(TypedDigitsOnly(digits: $0))] } ?? []
    case (.begin, .intro(false)):
      stage = .intro(isBusy: true)
      return [.getConsent]
    case (.approve, .consent(let text, false)):
      stage = .consent(text, isBusy: true)
      return [.approve]
    // Who refuses goes back without a call (wultra-onboarding.md §7.3).
    case (.decline, .consent(_, false)): stage = .intro(isBusy: false)
    case (.toggled(let type, let isOn), .choosing(false, _)):
      if isOn { documents.insert(type) } else { documents.remove(type) }
    case (.chosen, .choosing(false, _)) where canChoose:
      stage = .choosing(isBusy: true, isTooFew: false)
      return [.select(WDODocumentType.allCases.filter { documents.contains($0) })]
    case (.presence, .presence(false, _)):
      stage = .presence(isBusy: true, problem: nil)
      return [.checkPresence]
    case (.restart, .verificationFailed(false)):
      stage = .verificationFailed(isBusy: true)
      return [.restart]
    case (.cancel, .verificationFailed(false)):
      stage = .verificationFailed(isBusy: true)
      return [.cancel]
    case (.cancel, .over(let reason, false)):
      stage = .over(reason, isBusy: true)
      return [.cancel]
    default: break
    }
    return []
  }

  static let typedMax = 200

  /// Whether every field has something in it.
  var isIdentified: Bool {
    fields.allSatisfy { identity[$0.name]?.contains { !$0.isWhitespace } == true }
  }

  /// Whether the chosen documents will do, as far as is known.
  var canChoose: Bool { requirements?.areMet(by: Array(documents)) ?? !documents.isEmpty }

  // MARK: Where it stands

  private mutating func enter(_ state: WDOVerificationState) -> [WultraEffect] {
    switch state {
    case .intro: stage = .intro(isBusy: false)
    case .consent(let text): stage = .consent(text, isBusy: false)
    case .documentsToScanSelect:
      if case .choosing(false, _) = stage { return [] }
      stage = .choosing(isBusy: false, isTooFew: false)
      return [.loadRequirements]
    case .scanDocument(let process): scan(process)
    case .processing(let item): stage = .processing(item)
    case .presenceCheck:
      if case .presence = stage { return [] }
      stage = .presence(isBusy: false, problem: nil)
    case .otp(let left): askCode(left)
    case .failed: stage = .verificationFailed(isBusy: false)
    case .endstate(let reason): stage = .over(reason, isBusy: false)
    case .success: stage = .success
    }
    return []
  }

  private mutating func scan(_ process: WDOVerificationScanProcess) {
    // Nothing is left to scan: the server says soon what is next.
    guard let document = process.nextDocumentToScan else {
      stage = .processing(.documentVerification)
      return
    }
    if case .scanning(let scan) = stage, scan.goesOn(document) { return }
    stage = .scanning(ScanStage(document, problem: .refusedQuality))
  }

  private mutating func askCode(_ left: Int?) {
    if case .code(var screen) = stage {
      // The same state again after a code was checked: it was wrong. Else the user is still typing.
      guard screen.phase == .checking else { return }
      screen.refuse(.wrongCode(left: left))
      stage = .code(screen)
    } else {
      stage = .code(CodeScreen())
    }
  }

  private mutating func refuse(_ refusal: WultraRefusal) -> [WultraEffect] {
    switch (refusal, stage) {
    case (.wrongCode(let left), .activating(var screen)):
      screen.refuse(.wrongCode(left: left))
      stage = .activating(screen)
    // The process is over with its last code: another one begins.
    case (.codeOver, .activating): stage = .identifying(isBusy: false, problem: .codeLocked)
    // The SDK has forgotten the process; one whose code was only asked for again is still there.
    case (.other, .activating(let screen)) where screen.phase == .checking:
      stage = .identifying(isBusy: false, problem: .failureOther)
    case (.wrongCode(let left), .code(var screen)):
      screen.refuse(.wrongCode(left: left))
      stage = .code(screen)
    case (.other, .identifying): stage = .identifying(isBusy: false, problem: .failureOther)
    case (.offline, .identifying): stage = .identifying(isBusy: false, problem: .failureOffline)
    case (.tooFewDocuments, .choosing): stage = .choosing(isBusy: false, isTooFew: true)
    case (.offline, .scanning(var scan)):
      scan.refuse(.failureOffline)
      stage = .scanning(scan)
    case (.other, .presence): stage = .presence(isBusy: false, problem: .refusedLiveness)
    case (.other, .choosingPIN(var pin)):
      pin.refuse()
      stage = .choosingPIN(pin)
    default: stage = .failed(refusal)
    }
    return []
  }
}
