// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import OnboardingScreens
internal import WultraDigitalOnboarding

extension WultraScreens {
  /// What is shown, in the machine's language whatever the context's is.
  public func screen(in context: ScreenContext) -> Screen<WultraEvent> {
    var context = context
    context.language = language
    switch stage {
    case .starting: return progress("starting", .appTitle, .loading)
    case .failed(let refusal):
      return message(
        "failed", .appTitle, [.text(texts[Self.text(of: refusal)], .problem)],
        [button("retry", .actionRetry, .primary, .retry)])
    case .identifying(let isBusy, let problem): return identifying(isBusy, problem)
    case .activating(let screen): return named(screen.screen(texts, in: context).map { .code($0) }, "activation")
    case .choosingPIN(let pin): return choosingPIN(pin)
    case .intro(let isBusy):
      return message("intro", .introTitle, [.text(texts[.introText], .body)], [begin(isBusy)])
    case .consent(let text, let isBusy): return consent(text, isBusy)
    case .choosing(let isBusy, let isTooFew): return choosing(isBusy, isTooFew)
    case .scanning(let scan):
      return named(scan.capture.screen(texts).map { .capture($0) }, "\(scan.type.rawValue).\(side(of: scan))")
    case .processing(let item): return progress("processing.\(Self.word(item))", .appTitle, Self.text(of: item))
    case .presence(let isBusy, let problem): return presence(isBusy, problem)
    case .code(let screen): return named(screen.screen(texts, in: context).map { .code($0) }, "verification")
    case .verificationFailed(let isBusy):
      return message(
        isBusy ? "verification-failed.busy" : "verification-failed", .appTitle,
        [.text(texts[.resultFailed], .problem)],
        isBusy
          ? [.progress(texts[.loading])]
          : [
            button("restart", .restartVerification, .primary, .restart),
            button("cancel", .cancelProcess, .destructive, .cancel),
          ])
    case .over(let reason, let isBusy):
      let told: OnboardingText =
        switch reason {
        case .rejected: .resultRejected
        case .limitReached: .resultLimit
        case .other: .resultFailed
        }
      return message(
        "over.\(Self.word(reason))\(isBusy ? ".busy" : "")", .appTitle, [.text(texts[told], .body)],
        [isBusy ? .progress(texts[.loading]) : button("cancel", .resultAgain, .primary, .cancel)])
    case .success: return message("success", .appTitle, [.text(texts[.resultVerified], .success)], [])
    }
  }

  private func identifying(_ isBusy: Bool, _ problem: OnboardingText?) -> Screen<WultraEvent> {
    let inputs = fields.map { field in
      ScreenElement<WultraEvent>.input(
        ScreenInput(
          field.name, field.label, kind: field.kind, value: identity[field.name] ?? "", isEnabled: !isBusy
        ) { .typed($0, field: field.name) })
    }
    let next = ScreenButton<WultraEvent>(
      "identify", texts[.actionContinue], role: .primary, isEnabled: isIdentified, .identify)
    return message(
      isBusy ? "identity.busy" : problem == nil ? "identity" : "identity.again", .identifyTitle,
      (problem.map { [.text(texts[$0], .problem)] } ?? []) + [.text(texts[.identifyText], .body)] + inputs,
      [isBusy ? .progress(texts[.codeSending]) : .button(next)])
  }

  private func choosingPIN(_ pin: PINStage) -> Screen<WultraEvent> {
    let label = pin.isSecond ? texts[.pinSecond] : texts[.pinFirst, ["count": String(pin.digits)]]
    let field = ScreenInput<WultraEvent>(
      "pin", label, kind: .passcode(digits: pin.digits), value: pin.typed,
      problem: pin.differs ? texts[.pinDiffers] : ""
    ) { .pin($0) }
    let state = pin.isBusy ? "second.busy" : pin.differs ? "differs" : pin.isSecond ? "second" : "first"
    return message("pin.\(state)", .pinTitle, [], [pin.isBusy ? .progress(texts[.pinKeeping]) : .input(field)])
  }

  private func consent(_ text: String, _ isBusy: Bool) -> Screen<WultraEvent> {
    message(
      isBusy ? "consent.busy" : "consent", .consentTitle, [.html(text)],
      isBusy
        ? [.progress(texts[.loading])]
        : [
          button("approve", .consentApprove, .primary, .approve), button("decline", .consentDecline, .plain, .decline),
        ])
  }

  private func choosing(_ isBusy: Bool, _ isTooFew: Bool) -> Screen<WultraEvent> {
    var elements: [ScreenElement<WultraEvent>] = isTooFew ? [.text(texts[.documentsTooFew], .problem)] : []
    elements.append(.text(texts[.documentText], .body))
    if let requirements {
      elements.append(.text(texts[.documentsCount, ["count": String(requirements.distinctCount)]], .note))
    }
    for type in WDODocumentType.allCases {
      let title: OnboardingText =
        switch type {
        case .idCard: .documentIDCard
        case .passport: .documentPassport
        case .driversLicense: .documentLicence
        }
      let toggle = ScreenToggle<WultraEvent>(
        type.rawValue, texts[title], isOn: documents.contains(type), isEnabled: !isBusy
      ) { .toggled(type, $0) }
      elements.append(.toggle(toggle))
    }
    let next = ScreenButton<WultraEvent>(
      "chosen", texts[.actionContinue], role: .primary, isEnabled: canChoose, .chosen)
    return message(
      isBusy ? "documents.busy" : isTooFew ? "documents.again" : "documents", .documentsTitle, elements,
      [isBusy ? .progress(texts[.loading]) : .button(next)])
  }

  private func presence(_ isBusy: Bool, _ problem: OnboardingText?) -> Screen<WultraEvent> {
    message(
      isBusy ? "presence.busy" : problem == nil ? "presence" : "presence.again", .captureLiveness,
      (problem.map { [.text(texts[$0], .problem)] } ?? []) + [.text(texts[.presenceText], .body)],
      [isBusy ? .progress(texts[.workPresence]) : button("presence", .actionBegin, .primary, .presence)])
  }

  private func begin(_ isBusy: Bool) -> ScreenElement<WultraEvent> {
    isBusy ? .progress(texts[.loading]) : button("begin", .actionBegin, .primary, .begin)
  }

  private func side(of scan: ScanStage) -> String { (scan.sides.first ?? .front).rawValue }

  private static func text(of item: WDOVerificationState.ProcessingItem) -> OnboardingText {
    switch item {
    case .documentUpload: .workReading
    case .documentVerification, .documentAccepted: .workChecking
    case .documentsCrossVerification: .workComparing
    case .verifyingPresence: .workPresence
    case .clientVerification, .clientAccepted: .workClient
    case .other: .loading
    }
  }

  private static func text(of refusal: WultraRefusal) -> OnboardingText {
    switch refusal {
    case .offline: .failureOffline
    case .notActive: .failureBlocked
    case .codeOver: .codeLocked
    case .wrongCode: .codeWrong
    case .tooFewDocuments: .documentsTooFew
    case .other: .failureOther
    }
  }

  // MARK: Parts

  /// The case alone: the SDK's descriptions, as published, name the type before it.
  private static func word(_ described: some CustomStringConvertible) -> String {
    described.description.split(separator: ".").last.map(String.init) ?? ""
  }

  private func button(
    _ id: String, _ title: OnboardingText, _ role: ScreenButtonRole, _ event: WultraEvent
  ) -> ScreenElement<WultraEvent> { .button(ScreenButton(id, texts[title], role: role, event)) }

  private func message(
    _ id: String, _ title: OnboardingText, _ elements: [ScreenElement<WultraEvent>],
    _ acts: [ScreenElement<WultraEvent>]
  ) -> Screen<WultraEvent> { Screen(id: id, title: texts[title], elements: elements + acts) }

  private func progress(_ id: String, _ title: OnboardingText, _ text: OnboardingText) -> Screen<WultraEvent> {
    Screen(id: id, title: texts[title], elements: [.progress(texts[text])])
  }

  private func named(_ screen: Screen<WultraEvent>, _ name: String) -> Screen<WultraEvent> {
    var screen = screen
    screen.id = "\(name).\(screen.id)"
    return screen
  }
}
