// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI

/// What the screens of an onboarding show, in the user's language.
public typealias OnboardingTexts = ScreenTexts<OnboardingText>

extension OnboardingText: ScreenText {
  /// English, French and Arabic.
  public static let tables: [ScreenLanguage: [OnboardingText: String]] = [
    .english: english, .french: french, .arabic: arabic,
  ]
}

extension OnboardingTexts {
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
