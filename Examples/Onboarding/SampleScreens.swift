// SPDX-License-Identifier: Apache-2.0

import FinapticUI
import GatehouseUI
import OnboardingUI
import OneAssistUI
import WultraOnboardingUI

/// Four flows as the sections of one app. Each goes on while another one is shown.
struct SampleScreens: ScreenFlow {
  /// A section; the raw value is a part of its id.
  enum Part: String, CaseIterable {
    case onboarding, identity, membership, bank
  }

  enum Event: Sendable {
    case started
    case show(Part)
    case onboarding(RubixEvent)
    case identity(WultraEvent)
    case membership(OneAssistEvent)
    case bank(FinapticEvent)
  }

  enum Effect: ScreenEffect {
    case onboarding(RubixEffect)
    case identity(WultraEffect)
    case membership(OneAssistEffect)
    case bank(FinapticEffect)

    private var inner: (part: Part, lane: String?, endsLane: Bool, isWatch: Bool) {
      switch self {
      case .onboarding(let effect): (.onboarding, effect.lane, effect.endsLane, effect.isWatch)
      case .identity(let effect): (.identity, effect.lane, effect.endsLane, effect.isWatch)
      case .membership(let effect): (.membership, effect.lane, effect.endsLane, effect.isWatch)
      case .bank(let effect): (.bank, effect.lane, effect.endsLane, effect.isWatch)
      }
    }

    /// Lanes of one section end none of another.
    var lane: String? { inner.lane.map { "\(inner.part).\($0)" } }
    var endsLane: Bool { inner.endsLane }
    var isWatch: Bool { inner.isWatch }
  }

  private(set) var language: ScreenLanguage
  /// Nil where the app does not have it.
  private(set) var onboarding: RubixScreens?
  private(set) var identity: WultraScreens?
  private(set) var membership: OneAssistScreens?
  private(set) var bank: FinapticScreens?
  private var shown: Part

  init(
    language: ScreenLanguage, onboarding: RubixScreens?, identity: WultraScreens?, membership: OneAssistScreens?,
    bank: FinapticScreens?
  ) {
    (self.language, self.onboarding, self.identity) = (language, onboarding, identity)
    (self.membership, self.bank, shown) = (membership, bank, .onboarding)
    if let first = parts.first { shown = first }
  }

  func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    copy.onboarding = onboarding?.inLanguage(language)
    copy.identity = identity?.inLanguage(language)
    copy.membership = membership?.inLanguage(language)
    copy.bank = bank?.inLanguage(language)
    return copy
  }

  private var parts: [Part] {
    Part.allCases.filter { part in
      switch part {
      case .onboarding: onboarding != nil
      case .identity: identity != nil
      case .membership: membership != nil
      case .bank: bank != nil
      }
    }
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .started:
      let effects = handle(.onboarding(.started)) + handle(.identity(.started))
      return effects + handle(.membership(.started)) + handle(.bank(.started))
    case .show(let part):
      if parts.contains(part) { shown = part }
      return []
    case .onboarding(let event): return (onboarding?.handle(event) ?? []).map { .onboarding($0) }
    case .identity(let event): return (identity?.handle(event) ?? []).map { .identity($0) }
    case .membership(let event): return (membership?.handle(event) ?? []).map { .membership($0) }
    case .bank(let event): return (bank?.handle(event) ?? []).map { .bank($0) }
    }
  }

  func screen(in context: ScreenContext) -> Screen<Event> {
    let inner: Screen<Event>? =
      switch shown {
      case .onboarding: onboarding?.screen(in: context).map { .onboarding($0) }
      case .identity: identity?.screen(in: context).map { .identity($0) }
      case .membership: membership?.screen(in: context).map { .membership($0) }
      case .bank: bank?.screen(in: context).map { .bank($0) }
      }
    var screen = inner ?? Screen(id: "nothing", title: "", elements: [])
    guard parts.count > 1 else { return screen }
    screen.tabs += parts.map { part in
      ScreenTab("part-\(part)", Self.title(part, language), isSelected: part == shown, .show(part))
    }
    return screen
  }

  private static func title(_ part: Part, _ language: ScreenLanguage) -> String {
    switch (part, language) {
    case (.onboarding, .english): "Open an account"
    case (.onboarding, .french): "Ouvrir un compte"
    case (.onboarding, .arabic): "فتح حساب"
    case (.identity, .english): "Identity"
    case (.identity, .french): "Identité"
    case (.identity, .arabic): "الهوية"
    case (.membership, .english): "Cover"
    case (.membership, .french): "Protection"
    case (.membership, .arabic): "التغطية"
    case (.bank, .english): "Bank"
    case (.bank, .french): "Banque"
    case (.bank, .arabic): "المصرف"
    }
  }

  // MARK: What an institution writes

  /// What the sample's customer agrees to; an institution has its own texts.
  static let documents = [
    ConsentDocument(
      code: .terms, version: "2026-01", title: "Terms of the onboarding",
      text: "The bank checks your documents and your details before it opens an account."),
    ConsentDocument(
      code: .biometrics, version: "2026-01", title: "Pictures of your face",
      text: "The bank compares pictures of your face with the picture on your document."),
  ]

  /// What the sandbox of Wultra's onboarding knows its clients by.
  static let fields = [
    IdentityField(name: "clientNumber", label: "Client number"),
    IdentityField(name: "birthDate", label: "Date of birth", kind: .date),
  ]
}
