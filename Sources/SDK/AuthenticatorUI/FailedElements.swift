// SPDX-License-Identifier: Apache-2.0

internal import GatehouseUI
internal import SaltEdgeAuthenticator

extension AuthenticatorTexts {
  /// What a screen shows when a call has failed: why, and a button to try again.
  /// - Parameter retry: the event of the button.
  func failed<Event: Sendable>(_ error: AuthenticatorError, _ retry: Event) -> [ScreenElement<Event>] {
    [
      .text(self[error], .problem),
      .button(ScreenButton("retry", self["actions.retry"], role: .primary, retry)),
    ]
  }
}
