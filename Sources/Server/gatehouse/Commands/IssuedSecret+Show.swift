import GatehouseApp
import Identity

extension IssuedSecret {
  /// Prints what a back end signs in with, which cannot be printed again.
  /// - Parameters:
  ///   - webhookSecret: what else was made with it.
  ///   - place: where it counts; nil is all that its scopes open.
  func show(webhookSecret: String? = nil, towards place: String? = nil) {
    print("Client: \(client.id)")
    print("Secret: \(secret)")
    if let webhookSecret { print("Webhook secret: \(webhookSecret)") }
    let whither = place.map { ", towards\n\($0)" } ?? ""
    print("Secrets are shown this once. Client and secret go into Authorization: Basic\(whither).")
    if let earlierUntil { print("The secret before it is taken until \(earlierUntil.rfc3339).") }
  }
}
