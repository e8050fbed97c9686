// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import ScreenSpecimens
import TestSupport
import Testing

@Suite("Screens: what is printed of them")
struct ScreenGoldenTests {
  @Test("every state of every screen is printed in docs/sdk/screens", arguments: ScreenLanguage.allCases)
  func printed(language: ScreenLanguage) throws {
    let path = "docs/sdk/screens/authenticator-\(language.rawValue).txt"
    #expect(try GoldenFile.difference(of: ScreenWalk().text(language), from: path) == nil)
  }
}
