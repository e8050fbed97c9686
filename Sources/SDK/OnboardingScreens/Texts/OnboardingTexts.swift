public import GatehouseUI

/// What the screens of an onboarding show, in the user's language.
public struct OnboardingTexts: Sendable {
  private static let tables: [ScreenLanguage: [OnboardingText: String]] = [
    .english: english, .french: french, .arabic: arabic,
  ]

  /// The one that is spoken.
  public let language: ScreenLanguage
  private let table: [OnboardingText: String]

  /// The texts of a language.
  public init(_ language: ScreenLanguage) {
    self.language = language
    table = Self.tables[language] ?? Self.english
  }

  /// A text; a test sees that each language has all of them.
  public subscript(key: OnboardingText) -> String { table[key] ?? Self.english[key] ?? key.rawValue }

  /// A text with its placeholders filled, such as `{count}`. What is filled in is not looked through again.
  public subscript(key: OnboardingText, values: [String: String]) -> String {
    var (rest, text) = (self[key][...], "")
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      text += rest[..<open] + (values[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// A hint of the camera.
  public subscript(hint: CameraHint, frame: CameraFrame) -> String {
    switch hint {
    case .findSubject: self[frame == .face ? .hintFindFace : .hintFindDocument]
    case .showWhole: self[frame == .face ? .hintShowWholeFace : .hintShowWhole]
    case .comeCloser: self[.hintComeCloser]
    case .goAway: self[.hintGoAway]
    case .holdStill: self[.hintHoldStill]
    case .avoidReflections: self[.hintAvoidReflections]
    case .ready: self[.hintReady]
    }
  }
}
