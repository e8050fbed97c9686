// SPDX-License-Identifier: Apache-2.0

package import AuthenticatorUI
package import Foundation
package import GatehouseUI
package import SaltEdgeAuthenticator

/// What screens show where no bank is: connections, authorizations and consents that no service knows of.
package enum ScreenSpecimen {
  /// 2026-11-21T06:00:00Z.
  package static let now = WireInstant(millisecondsSince1970: 1_795_240_800_000)
  package static let bank = URL(string: "https://bank.example") ?? URL(filePath: "/")
  package static let context = context(.english)

  package static func context(_ language: ScreenLanguage) -> ScreenContext {
    ScreenContext(language: language, now: now) { String($0.description.prefix(10)) }
  }

  package static func connection(
    _ guid: String = "C1", _ name: String = "Utopia Bank", _ status: Connection.Status = .active
  ) -> Connection {
    Connection(specimen: guid, name: name, status: status, at: now, bank: bank, supportEmail: "help@bank.example")
  }

  package static func authorization(
    _ id: String = "1", _ state: AuthorizationState = .pending, seconds: Int64 = 300
  ) -> Authorization {
    Authorization(
      specimen: .init(connection: "C1", id: id), title: "Pay 12.50 EUR",
      content: AuthorizationContent(
        text: nil, html: nil, payment: [("payee", "Utopia Water Works"), ("amount", "12.50 EUR")],
        extra: [("ip", "192.0.2.1")]),
      createdAt: now, expiresAt: WireInstant(millisecondsSince1970: now.millisecondsSince1970 + seconds * 1000),
      state: state)
  }

  package static func consent(_ id: String = "7") -> Consent {
    Consent(
      specimen: id, connection: "C1", kind: "aisp", thirdParty: "Budget App",
      accounts: [.init(name: "Giro", iban: "ZZ83DEMO00000002000")], shared: .init(balance: true, transactions: true),
      createdAt: now, expiresAt: WireInstant(millisecondsSince1970: now.millisecondsSince1970 + 86_400_000 * 30))
  }

  package static let offline = AuthenticatorError(.transport(TransportError(.offline)), .hostUnreachable)
  package static let locked = AuthenticatorError(.outOfOrder, .appLocked)

  /// With one connection, open, and nothing above the list.
  package static func open(biometrics: Bool = false) -> AuthenticatorScreens {
    var app = AuthenticatorScreens(language: .english, version: "1.0")
    _ = app.handle(.started)
    _ = app.handle(.lockState(.unlocked, offersBiometrics: biometrics, hasBiometrics: biometrics))
    _ = app.handle(.connections(.listed([connection()])))
    _ = app.handle(.list(.listed([authorization()], failures: [:])))
    return app
  }
}
