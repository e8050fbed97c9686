// SPDX-License-Identifier: Apache-2.0

/// What the secure screen shows (specification §7.2).
public struct OASecureScreenContent: Sendable, Equatable {
  /// This device's numbers, fifteen digits each; none while there is nothing to be seen.
  public let imeis: [String]
  /// `ddddd ddddd d`; nil while the code's key is on its way.
  public let code: String?
  /// Two digits beside the code.
  public let hint: String?
  /// For which the code is still shown.
  public let remaining: Duration?

  /// Nothing: the app is in the background.
  public static let blank = OASecureScreenContent(imeis: [], code: nil, hint: nil, remaining: nil)

  /// Creates the value from its members.
  public init(imeis: [String], code: String?, hint: String?, remaining: Duration?) {
    (self.imeis, self.code, self.hint, self.remaining) = (imeis, code, hint, remaining)
  }
}

/// What happens to the secure screen while it shows.
public enum OASecureScreenEvent: Sendable, Equatable {
  /// The user went back, or the screen was taken away.
  case closed
  /// The app went to the background, and came back.
  case enteredBackground, enteredForeground
  /// A screenshot was taken of it.
  case screenshotTaken
}
