import FinapticUI
import GatehouseUI
import OnboardingUI
import OneAssistUI

/// Three flows as the sections of one app. Each goes on while another one is shown.
struct SampleScreens: ScreenFlow {
  /// A section; the raw value is a part of its id.
  enum Part: String, CaseIterable {
    case onboarding, membership, bank
  }

  enum Event: Sendable {
    case started
    case show(Part)
    case onboarding(RubixEvent)
    case membership(OneAssistEvent)
    case bank(FinapticEvent)
  }

  enum Effect: ScreenEffect {
    case onboarding(RubixEffect)
    case membership(OneAssistEffect)
    case bank(FinapticEffect)

    private var inner: (part: Part, lane: String?, endsLane: Bool, isWatch: Bool) {
      switch self {
      case .onboarding(let effect): (.onboarding, effect.lane, effect.endsLane, effect.isWatch)
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
  private(set) var membership: OneAssistScreens?
  private(set) var bank: FinapticScreens?
  private var shown: Part

  init(
    language: ScreenLanguage, onboarding: RubixScreens?, membership: OneAssistScreens?, bank: FinapticScreens?
  ) {
    (self.language, self.onboarding, self.membership, self.bank) = (language, onboarding, membership, bank)
    shown = onboarding != nil ? .onboarding : membership != nil ? .membership : .bank
  }

  func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    copy.onboarding = onboarding?.inLanguage(language)
    copy.membership = membership?.inLanguage(language)
    copy.bank = bank?.inLanguage(language)
    return copy
  }

  private var parts: [Part] {
    Part.allCases.filter { part in
      switch part {
      case .onboarding: onboarding != nil
      case .membership: membership != nil
      case .bank: bank != nil
      }
    }
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .started:
      return handle(.onboarding(.started)) + handle(.membership(.started)) + handle(.bank(.started))
    case .show(let part):
      if parts.contains(part) { shown = part }
      return []
    case .onboarding(let event): return (onboarding?.handle(event) ?? []).map { .onboarding($0) }
    case .membership(let event): return (membership?.handle(event) ?? []).map { .membership($0) }
    case .bank(let event): return (bank?.handle(event) ?? []).map { .bank($0) }
    }
  }

  func screen(in context: ScreenContext) -> Screen<Event> {
    let inner: Screen<Event>? =
      switch shown {
      case .onboarding: onboarding?.screen(in: context).map { .onboarding($0) }
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
    case (.membership, .english): "Cover"
    case (.membership, .french): "Protection"
    case (.membership, .arabic): "التغطية"
    case (.bank, .english): "Bank"
    case (.bank, .french): "Banque"
    case (.bank, .arabic): "المصرف"
    }
  }
}
