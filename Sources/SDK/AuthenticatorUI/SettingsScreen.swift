// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// Passcode, biometrics, language, locking and erasing (specification §10.4, §10.9).
public struct SettingsScreen: ScreenMachine, Equatable {
  /// What the user is at.
  public enum Phase: Sendable, Equatable {
    case shown
    case languages
    /// Asks before everything is erased.
    case erasing
    case working
  }
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    /// The app takes it: asks for passcodes.
    case changePasscode
    case biometrics(Bool)
    case biometricsKept(Bool)
    case languages, language(ScreenLanguage)
    case lock
    case askErase, erase, cancel
    case failed(AuthenticatorError)
  }

  /// Whether biometrics open the app; nil where the device has none.
  public private(set) var usesBiometrics: Bool?
  /// The app's language.
  public private(set) var language: ScreenLanguage
  /// What the user is at.
  public private(set) var phase = Phase.shown
  /// Why the last call failed.
  public private(set) var error: AuthenticatorError?
  /// The app's version, for people; empty where it is not told.
  public let version: String

  /// Begins.
  public init(usesBiometrics: Bool?, language: ScreenLanguage, version: String) {
    (self.usesBiometrics, self.language, self.version) = (usesBiometrics, language, version)
  }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [AuthenticatorEffect] {
    switch (event, phase) {
    case (.biometrics(let uses), .shown) where usesBiometrics != nil:
      error = nil
      return [.useBiometrics(uses)]
    case (.biometricsKept(let uses), _) where usesBiometrics != nil: usesBiometrics = uses
    case (.languages, .shown): phase = .languages
    case (.language(let chosen), .languages):
      (language, phase) = (chosen, .shown)
      return [.keepLanguage(chosen)]
    case (.lock, .shown): return [.lock]
    case (.askErase, .shown): (phase, error) = (.erasing, nil)
    case (.erase, .erasing):
      phase = .working
      return [.wipe]
    case (.cancel, .erasing), (.cancel, .languages): phase = .shown
    case (.failed(let error), .working), (.failed(let error), .shown): (phase, self.error) = (.shown, error)
    default: break
    }
    return []
  }

  mutating func speak(_ language: ScreenLanguage) { self.language = language }

  /// What is shown.
  public func screen(in context: ScreenContext) -> Screen<Event> {
    let texts = AuthenticatorTexts(language: context.language.rawValue)
    let cancel = ScreenButton("cancel", texts["actions.cancel"], Event.cancel)
    switch phase {
    case .shown:
      return Screen(
        id: error == nil ? "settings.shown" : "settings.failed", title: texts["in_app.sidebar_menu.settings"],
        elements: shown(texts))
    case .languages:
      return Screen(
        id: "settings.languages", title: texts["in_app.settings.language"],
        elements: ScreenLanguage.allCases.map {
          .row(
            ScreenRow(
              "language-\($0.rawValue)", $0.name, badge: $0 == language ? texts["screens.chosen"] : "", .language($0)))
        }, back: ScreenButton("back", texts["actions.back"], .cancel))
    case .erasing:
      return Screen(
        id: "settings.erasing", title: texts["in_app.settings.clear_app_data"],
        elements: [
          .text(texts["in_app.settings.clear_app_data_description"], .body),
          .button(ScreenButton("erase", texts["actions.clear_data"], role: .destructive, .erase)), .button(cancel),
        ])
    case .working:
      return Screen(
        id: "settings.working", title: texts["in_app.settings.clear_app_data"],
        elements: [.progress(texts["actions.processing"])])
    }
  }

  private func shown(_ texts: AuthenticatorTexts) -> [ScreenElement<Event>] {
    var elements: [ScreenElement<Event>] = []
    if let error { elements.append(.text(texts[error], .problem)) }
    elements.append(.row(ScreenRow("passcode-change", texts["actions.change_passcode"], .changePasscode)))
    if let usesBiometrics {
      elements.append(
        .toggle(
          ScreenToggle("biometrics", texts["onboarding.secure_app.enable_biometrics"], isOn: usesBiometrics) {
            .biometrics($0)
          }))
    } else {
      elements.append(.text(texts["in_app.settings.biometrics_not_available"], .note))
    }
    elements.append(
      .row(ScreenRow("languages", texts["in_app.settings.language"], badge: language.name, .languages)))
    elements.append(.button(ScreenButton("lock", texts["screens.settings.lock"], .lock)))
    elements.append(
      .button(ScreenButton("ask-erase", texts["in_app.settings.clear_all_data"], role: .destructive, .askErase)))
    if !version.isEmpty { elements.append(.fact(label: texts["in_app.settings.app_version"], value: version)) }
    return elements
  }
}
