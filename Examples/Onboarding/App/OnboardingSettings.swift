// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the app is told by the dictionary `Gatehouse` of `Info.plist`. A section whose server is not named is not
/// shown.
struct OnboardingSettings {
  private let values: [String: String]

  init(_ info: [String: Any]) { values = info["Gatehouse"] as? [String: String] ?? [:] }

  /// The server of the Rubix onboarding, and the institution when it has several.
  var bank: URL? { address("Bank") }
  var tenant: String? { text("Tenant") }
  /// The server of the Wultra onboarding, and what its operator hands out for the app.
  var identity: URL? { address("Identity") }
  var identityConfiguration: String? { text("IdentityConfiguration") }
  /// The server of the membership, such as `https://cover.example/apigateway`. The token comes from the partner's
  /// server in an app for customers; here it is one that was made by hand.
  var cover: String? { text("Cover") }
  var coverToken: String? { text("CoverToken") }
  var coverCode: String? { text("CoverCode") }
  /// Of Finaptic.
  var bankKey: String? { text("BankKey") }

  private func text(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
  private func address(_ name: String) -> URL? { text(name).flatMap { URL(string: $0) } }
}
