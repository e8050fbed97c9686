// SPDX-License-Identifier: Apache-2.0

/// Something that a screen tells, whatever the language: a text, and the number in it.
public struct OnboardingMessage: Sendable, Equatable {
  /// Which text.
  public let text: OnboardingText
  /// What stands for `{count}`.
  public let count: Int?

  /// Creates the value from its members.
  public init(_ text: OnboardingText, count: Int? = nil) { (self.text, self.count) = (text, count) }

  /// A code that was wrong.
  /// - Parameter left: how many may still be tried; nil when that is not known.
  public static func wrongCode(left: Int?) -> OnboardingMessage {
    left.map { OnboardingMessage(.codeWrongLeft, count: $0) } ?? OnboardingMessage(.codeWrong)
  }
}

extension OnboardingTexts {
  /// A message in the language.
  public subscript(message: OnboardingMessage) -> String {
    message.count.map { self[message.text, ["count": String($0)]] } ?? self[message.text]
  }
}
