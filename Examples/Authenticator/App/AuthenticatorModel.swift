// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import Foundation
import GatehouseUI
import SaltEdgeAuthenticator
import SwiftUI
import UIKit

/// The authenticator of this device with its screens; made once.
@MainActor
final class AuthenticatorModel: ObservableObject {
  /// Of what lies in the Keychain, and of the key that seals the private keys: one name, so that they are wiped
  /// together.
  nonisolated private static let service = Bundle.main.bundleIdentifier ?? "example.gatehouse.authenticator"
  nonisolated private static let languageName = "language"

  let authenticator: Authenticator
  let store: ScreenStore<AuthenticatorScreens>

  init() {
    let kept = UserDefaults.standard.string(forKey: Self.languageName)
    let language = ScreenLanguage(tag: kept ?? Locale.preferredLanguages.first ?? "en")
    let (signIn, version) = (SignInPresenter(), Self.info("CFBundleShortVersionString"))
    var setup = AuthenticatorSetup(
      device: DeviceDescription(
        app: "Authenticator", version: version, build: Self.info("CFBundleVersion"), model: UIDevice.current.model,
        system: "iOS \(UIDevice.current.systemVersion)"), signInPage: signIn.page)
    setup.language = language.rawValue
    setup.keyProtection = .device(tag: Self.service)
    let place = DevicePlace()
    setup.places = Places { await place.current() }
    let authenticator = Authenticator(setup, store: KeychainStore(service: Self.service))
    let ports = AuthenticatorPorts(
      keepLanguage: { UserDefaults.standard.set($0.rawValue, forKey: Self.languageName) },
      // Without an address the decision came from a notification: no app can end itself, so it stays at its list.
      leave: { address in
        if let address { await UIApplication.shared.open(address) }
      })
    let performer = AuthenticatorPerformer(authenticator, signIn: signIn, ports: ports)
    self.authenticator = authenticator
    store = ScreenStore(
      ScreenDriver(AuthenticatorScreens(language: language, version: version)) { await performer.perform($0, $1) })
  }

  private static func info(_ name: String) -> String { Bundle.main.infoDictionary?[name] as? String ?? "0" }
}
