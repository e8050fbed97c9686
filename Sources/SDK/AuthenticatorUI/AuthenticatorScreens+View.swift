// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import SaltEdgeAuthenticator

extension AuthenticatorScreens {
  /// What is shown, in the app's language whatever the context's is.
  public func screen(in context: ScreenContext) -> Screen<AuthenticatorEvent> {
    var context = context
    context.language = language
    let texts = AuthenticatorTexts(language: language.rawValue)
    switch gate {
    case .starting:
      return Screen(
        id: "starting", title: texts["actions.unlock_authenticator"], elements: [.progress(texts["screens.loading"])])
    case .failed(let error):
      return Screen(
        id: "starting.failed", title: texts["actions.unlock_authenticator"],
        elements: texts.failed(error, .retry))
    case .welcome(let isErased): return welcome(isErased, texts)
    case .creating(let setting): return setting.screen(in: context).map { .passcode($0) }
    case .offering: return offering(texts)
    case .locked(let entry): return entry.screen(in: context).map { .presence($0) }
    case .open: return inside(context, texts)
    }
  }

  private func welcome(_ isErased: Bool, _ texts: AuthenticatorTexts) -> Screen<AuthenticatorEvent> {
    let carousel: [ScreenElement<AuthenticatorEvent>] = ["one", "two", "three"].flatMap { name in
      [
        .text(texts[TextKey(rawValue: "onboarding.carousel_\(name).title")], .heading),
        .text(texts[TextKey(rawValue: "onboarding.carousel_\(name).description")], .body),
      ]
    }
    return Screen(
      id: isErased ? "welcome.erased" : "welcome", title: texts["screens.app"],
      elements: (isErased ? [.text(texts["in_app.settings.clear_app_data_success_message"], .note)] : []) + carousel
        + [.button(ScreenButton("begin", texts["actions.get_started"], role: .primary, .begin))])
  }

  private func offering(_ texts: AuthenticatorTexts) -> Screen<AuthenticatorEvent> {
    Screen(
      id: "offering-biometrics", title: texts["onboarding.secure_app.enable_biometrics"],
      elements: [
        .text(texts["onboarding.secure_app.biometrics_message"], .body),
        .button(ScreenButton("allow", texts["actions.allow"], role: .primary, .offer(allows: true))),
        .button(ScreenButton("not-now", texts["actions.not_now"], .offer(allows: false))),
      ])
  }

  private func inside(_ context: ScreenContext, _ texts: AuthenticatorTexts) -> Screen<AuthenticatorEvent> {
    guard let page = pages.last else {
      var screen = section(context)
      // A question of a section has its own way back, and no tabs.
      if screen.back == nil { screen.tabs = tabs(texts) }
      return screen
    }
    var screen: Screen<AuthenticatorEvent> =
      switch page {
      case .authorization(let inner): inner.screen(in: context).map { .authorization($0) }
      case .connection(let inner): inner.screen(in: context).map { .connection($0) }
      case .consents(let inner): inner.screen(in: context).map { .consents($0) }
      case .connect(let inner): inner.screen(in: context).map { .connect($0) }
      case .passcode(let inner): inner.screen(in: context).map { .passcode($0) }
      }
    if screen.back == nil, !page.isBusy { screen.back = ScreenButton("back", texts["actions.back"], .back) }
    return screen
  }

  private func section(_ context: ScreenContext) -> Screen<AuthenticatorEvent> {
    switch tab {
    case .authorizations: list.screen(in: context).map { .list($0) }
    case .connections: connections.screen(in: context).map { .connections($0) }
    case .history: history.screen(in: context).map { .history($0) }
    case .settings: settings.screen(in: context).map { .settings($0) }
    }
  }

  private func tabs(_ texts: AuthenticatorTexts) -> [ScreenTab<AuthenticatorEvent>] {
    AuthenticatorTab.allCases.map { tab in
      let key: TextKey =
        switch tab {
        case .authorizations: "screens.tab.authorizations"
        case .connections: "in_app.navigation.connections"
        case .history: "screens.tab.history"
        case .settings: "in_app.sidebar_menu.settings"
        }
      return ScreenTab("tab-\(tab.rawValue)", texts[key], isSelected: tab == self.tab, .show(tab))
    }
  }
}
