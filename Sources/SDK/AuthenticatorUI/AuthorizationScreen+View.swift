// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import SaltEdgeAuthenticator

extension AuthorizationScreen {
  /// What is shown; the way back is the app's, but for the question after the passcode.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    if case .presence(let entry) = phase {
      var screen = entry.screen(in: context).map { Event.presence($0) }
      screen.id = "authorization.\(screen.id)"
      if !entry.isBusy { screen.back = ScreenButton("back", texts["actions.cancel"], .cancelPresence) }
      return screen
    }
    var elements: [ScreenElement<Event>] = []
    if case .failed(let error) = phase {
      elements = texts.failed(error, .retry)
    } else if let authorization {
      elements = status(texts) + content(of: authorization, texts, context) + buttons(authorization, texts, context)
    } else {
      elements = [.progress(texts["screens.loading"])]
    }
    return Screen(id: "authorization.\(name)", title: texts["authorization.screen.name"], elements: elements)
  }

  private var name: String {
    switch phase {
    case .loading: "loading"
    case .asking: problem == nil ? "asking" : "asking-again"
    case .presence: "presence"
    case .sending(let confirms): confirms ? "confirming" : "denying"
    case .following: "following"
    case .over: "over-\(authorization?.state.rawValue ?? "")"
    case .failed: "failed"
    }
  }

  private func status(_ texts: AuthenticatorTexts) -> [ScreenElement<Event>] {
    if let problem { return [.text(texts[problem], .problem)] }
    guard phase == .over, let state = authorization?.state else { return [] }
    let role: ScreenTextRole = [.confirmed, .denied].contains(state) ? .success : .problem
    return [.text(texts.title(of: state), .heading), .text(texts.message(of: state), role)]
  }

  private func content(
    of authorization: Authorization, _ texts: AuthenticatorTexts, _ context: ScreenContext
  ) -> [ScreenElement<Event>] {
    var elements: [ScreenElement<Event>] = [.text(authorization.title, .heading)]
    if !bank.isEmpty { elements.append(.text(bank, .note)) }
    let content = authorization.content
    // Where there is HTML it is all that is to be shown (§5.6).
    if let html = content.html {
      elements.append(.html(html))
    } else {
      if let text = content.text { elements.append(.text(text, .body)) }
      for field in content.payment + content.extra {
        elements.append(.fact(label: texts.label(of: field), value: field.value))
      }
    }
    if phase == .asking {
      elements.append(
        .countdown(
          ScreenCountdown(
            label: texts["screens.time_left"], secondsLeft: authorization.secondsLeft(at: context.now),
            seconds: authorization.lifetimeSeconds)))
    }
    return elements
  }

  private func buttons(
    _ authorization: Authorization, _ texts: AuthenticatorTexts, _ context: ScreenContext
  ) -> [ScreenElement<Event>] {
    switch phase {
    case .sending, .following: return [.progress(texts["actions.processing.description"])]
    case .asking:
      let isOpen = authorization.secondsLeft(at: context.now) > 0
      return [
        .button(
          ScreenButton(
            "confirm", texts["actions.confirm"], hint: authorization.title, role: .primary, isEnabled: isOpen,
            .confirm)),
        .button(
          ScreenButton("deny", texts["actions.deny"], hint: authorization.title, isEnabled: isOpen, .deny)),
      ]
    default: return []
    }
  }
}
