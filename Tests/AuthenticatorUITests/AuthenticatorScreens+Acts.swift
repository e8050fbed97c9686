// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import ScreenSpecimens

typealias Specimen = ScreenSpecimen

extension AuthenticatorScreens {
  func shown(_ language: ScreenLanguage? = nil) -> Screen<AuthenticatorEvent> {
    screen(in: Specimen.context(language ?? self.language))
  }

  /// Presses what the screen offers under this id.
  /// - Returns: what follows; nil when it is not offered.
  mutating func press(_ id: String) -> [AuthenticatorEffect]? { shown().press(id).map { handle($0) } }

  /// Types into what the screen offers.
  mutating func type(_ text: String, into id: String = "passcode") -> [AuthenticatorEffect]? {
    shown().type(text, into: id).map { handle($0) }
  }
}
