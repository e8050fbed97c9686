// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import Identity
import Kit

extension IssuedSecret {
  /// Prints what a back end signs in with, which cannot be printed again.
  /// - Parameters:
  ///   - webhookSecret: what else was made with it.
  ///   - bothSignUntil: until when the webhook's secret before it signs, too, and the same in words.
  ///   - place: where it counts; nil is all that its scopes open.
  ///   - owner: of what it is, such as the bank or partner that was added with it.
  func show(
    _ output: OutputOptions, webhookSecret: String? = nil, bothSignUntil: (instant: Instant, words: String)? = nil,
    towards place: String? = nil, of owner: (name: String, id: String)? = nil
  ) throws {
    guard !output.json else {
      var members = ["client": client.id.rawValue, "secret": secret]
      members["webhook_secret"] = webhookSecret
      members["both_sign_until"] = bothSignUntil?.instant.rfc3339
      members["towards"] = place
      members["earlier_secret_until"] = earlierUntil?.rfc3339
      if let owner { members[owner.name.lowercased()] = owner.id }
      return try output.show(members, [])
    }
    if let owner { print("\(owner.name): \(owner.id)") }
    print("Client: \(client.id)")
    print("Secret: \(secret)")
    if let webhookSecret { print("Webhook secret: \(webhookSecret)") }
    if let bothSignUntil { print(bothSignUntil.words) }
    let whither = place.map { ", towards\n\($0)" } ?? ""
    print("Secrets are shown this once. Client and secret go into Authorization: Basic\(whither).")
    if let earlierUntil { print("The secret before it is taken until \(earlierUntil.rfc3339).") }
  }
}
