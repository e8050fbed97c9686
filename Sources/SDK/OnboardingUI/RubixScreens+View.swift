// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import OnboardingScreens
internal import RubixOnboarding

extension RubixScreens {
  /// What is shown, in the machine's language whatever the context's is.
  public func screen(in context: ScreenContext) -> Screen<RubixEvent> {
    var (context, texts) = (context, texts)
    context.language = language
    var screen = shown(texts, context)
    if canGoBack { screen.back = ScreenButton("back", texts[.actionBack], .back) }
    return screen
  }

  private var canGoBack: Bool {
    switch stage {
    case .registering(let screen): screen.page == .contact
    case .capturing(.document, let screen): screen.phase != .sending && (view.map { Self.choices($0) } ?? []).count > 1
    case .form(var screen): screen.goBack(texts)
    case .appointment(let screen): isMoving && !screen.isBooking
    default: false
    }
  }

  private func shown(_ texts: OnboardingTexts, _ context: ScreenContext) -> Screen<RubixEvent> {
    switch stage {
    case .starting: progress("starting", .appTitle, .loading)
    case .failed(let error):
      message(
        "failed", .appTitle, [.text(texts[Self.text(of: error)], .problem)], button("retry", .actionRetry, .retry))
    case .registering(let screen): screen.screen(texts).map { .registration($0) }
    case .working(let work): progress("working.\(work.name)", .appTitle, work.text)
    case .stalled(let work):
      message(
        "stalled.\(work.name)", .appTitle, [.text(texts[.workStalled], .body)], button("retry", .actionRetry, .retry))
    case .choosing(let kinds): choosing(kinds)
    case .capturing(let picture, let screen): capturing(picture, screen)
    case .asking(let channel, let isSending, let problem): asking(channel, isSending, problem)
    case .code(let channel, let screen):
      named(screen.screen(texts, in: context).map { .code($0) }, channel.rawValue)
    case .loadingForm(let form): progress("form.\(form.rawValue).loading", .appTitle, .loading)
    case .form(let screen): screen.screen(texts).map { .form($0) }
    case .loadingSlots: progress("appointment.loading", .appointmentTitle, .loading)
    case .appointment(let screen): screen.screen(texts, in: context).map { .appointment($0) }
    case .call(let appointment): call(appointment, context)
    case .waiting(let afterCall):
      message(
        afterCall ? "waiting.after-call" : "waiting", .waitingTitle,
        [.text(texts[afterCall ? .callWaiting : .waitingText], .body)], button("look", .waitingLook, .look))
    case .over(let status): over(status)
    case .updateRequired: message("update", .updateTitle, [.text(texts[.updateText], .body)], nil)
    }
  }

  private func choosing(_ kinds: [DocumentKind]) -> Screen<RubixEvent> {
    let told = note.map { [ScreenElement<RubixEvent>.text(texts[$0], .problem)] } ?? []
    return Screen(
      id: told.isEmpty ? "documents" : "documents.again", title: texts[.documentTitle],
      elements: told + [.text(texts[.documentText], .body)]
        + kinds.map { .row(ScreenRow($0.rawValue, texts[$0.title], .chosen($0))) })
  }

  private func capturing(_ picture: RubixPicture, _ capture: CaptureScreen) -> Screen<RubixEvent> {
    named(capture.screen(texts).map { .capture($0) }, picture.name)
  }

  private func asking(
    _ channel: OTPChannel, _ isSending: Bool, _ problem: OnboardingText?
  ) -> Screen<RubixEvent> {
    let contact = (channel == .sms ? view?.customer.contactNo : view?.customer.email) ?? ""
    let text = texts[channel == .sms ? .codeAskSMS : .codeAskEmail, ["contact": contact]]
    return Screen(
      id: "\(channel.rawValue).code.\(isSending ? "sending-first" : problem == nil ? "offered" : "offered-again")",
      title: texts[.codeTitle],
      elements: (problem.map { [.text(texts[$0], .problem)] } ?? [])
        + [.text(text, .body), isSending ? .progress(texts[.codeSending]) : button("send", .codeSend, .sendCode)])
  }

  private func call(_ appointment: AppointmentView, _ context: ScreenContext) -> Screen<RubixEvent> {
    let canJoin = Self.address(of: appointment) != nil
    let time = "\(context.dateText(appointment.callTime)), \(context.timeText(appointment.callTime))"
    let join = ScreenButton<RubixEvent>(
      "join", texts[.callJoin], hint: texts[.callJoinHint], role: .primary, .join)
    var elements: [ScreenElement<RubixEvent>] = [
      .fact(label: texts[.callWhen], value: time),
      .fact(label: texts[.callLength], value: String(appointment.durationMinutes)),
    ]
    if appointment.isRecorded == true { elements.append(.text(texts[.callRecorded], .note)) }
    elements.append(canJoin ? .button(join) : .text(texts[.callLater], .note))
    // A call that has begun is not moved.
    if appointment.status == .scheduled {
      elements.append(.button(ScreenButton("move", texts[.callMove], .move)))
    }
    return Screen(
      id: "call.\(canJoin ? "open" : "booked")", title: texts[.callTitle],
      elements: elements + [.button(ScreenButton("look", texts[.waitingLook], .look))])
  }

  private func over(_ status: OnboardingStatus) -> Screen<RubixEvent> {
    let (text, role): (OnboardingText, ScreenTextRole) =
      switch status {
      case .completed: (.resultCompleted, .success)
      case .rejected: (.resultRejected, .body)
      case .abandoned: (.resultAbandoned, .body)
      default: (.resultExpired, .body)
      }
    // Who was refused is not asked to try again.
    let isAgain = status == .abandoned || status == .expired
    return message(
      "over.\(status.rawValue)", .appTitle, [.text(texts[text], role)],
      isAgain ? button("anew", .resultAgain, .anew) : nil)
  }

  // MARK: Parts

  private func button(_ id: String, _ title: OnboardingText, _ event: RubixEvent) -> ScreenElement<RubixEvent> {
    .button(ScreenButton(id, texts[title], role: .primary, event))
  }

  private func message(
    _ id: String, _ title: OnboardingText, _ elements: [ScreenElement<RubixEvent>],
    _ last: ScreenElement<RubixEvent>?
  ) -> Screen<RubixEvent> {
    Screen(id: id, title: texts[title], elements: elements + (last.map { [$0] } ?? []))
  }

  private func progress(_ id: String, _ title: OnboardingText, _ text: OnboardingText) -> Screen<RubixEvent> {
    Screen(id: id, title: texts[title], elements: [.progress(texts[text])])
  }

  private func named(_ screen: Screen<RubixEvent>, _ name: String) -> Screen<RubixEvent> {
    var screen = screen
    screen.id = "\(name).\(screen.id)"
    return screen
  }
}
