// SPDX-License-Identifier: Apache-2.0

import Kit

/// Every number that the specification leaves to us, in one place (saltedge-authenticator §4.3, §5.6, §16).
package struct SaltEdgePolicy: Sendable {
  /// Where devices reach this server: scheme, host, port and path prefix, without a slash at its end. Signatures of v1
  /// cover it.
  package var publicURL = "http://127.0.0.1:8080"
  /// Of a connection's token.
  package var accessTokenLifetime = Duration.days(180)
  /// For the customer to sign in: a sign-in that ends later connects no device.
  package var signInLifetime = Duration.minutes(15)
  /// Of a connect query that we made.
  package var linkLifetime = Duration.minutes(5)
  /// Whether a connect query that a bank judges by itself leads to one connection only. The published banks show every
  /// customer the same one.
  package var usesConnectQueriesOnce = false
  /// For how long, then.
  package var connectQueryMemory = Duration.hours(24)
  /// How long what is decided stays in a device's list.
  package var finalsListed = Duration.seconds(60)
  /// The furthest expiry that a bank may ask for.
  package var actionLifetimeMax = Duration.days(1)
  package var consentLifetimeMax = Duration.days(3653)
  /// What we sign for banks holds for so long.
  package var signatureLifetime = Duration.seconds(120)
  /// How long a bank may take for a call (§16); for one that a customer waits for, less than their app waits (§2).
  package var bankTimeout = Duration.seconds(30)
  package var waitedTimeout = Duration.seconds(15)
  /// Calls of one node that one bank has in hand: those that a customer waits for, and as many others.
  package var bankCallsMax = 4
  /// How long a decision waits for a bank that has its share already, which is no attempt.
  var crowdedPause = Duration.seconds(1)
  /// How long after each failed attempt a decision is sent to the bank again; then it counts as failed.
  package var forwardDelays: [Duration] = [.seconds(1), .seconds(5), .seconds(25)]
  /// How long after a decision its bank may answer: longer than the outbox tries.
  package var answerWaitMax = Duration.hours(1)
  /// How long what was decided is kept, with its evidence: customers may dispute a payment for thirteen months
  /// (Directive (EU) 2015/2366, article 71).
  package var retention = Duration.days(400)
  /// How long a device without a sign-in is kept.
  var failedRetention = Duration.days(1)
  /// How long after each failed attempt a device is notified again; then it is left to look by itself.
  package var pushDelays: [Duration] = [.seconds(1), .seconds(5), .seconds(25)]
  /// Failed checks of tokens and signatures of one address; beyond it, failures say so.
  package var refusals = RateLimit("saltedge-refusals", 10, per: .minutes(1))
  /// Connections that one address asks for.
  package var connects = RateLimit("saltedge-connects", 30, per: .minutes(1))

  package init() {}

  /// What one device can have to decide or to look at.
  static let listMax = 100
  /// How many devices one action is shown on.
  static let itemsMax = 50
  /// How many authorizations an action can come to have.
  static let authorizationsMax = 500
  /// Bytes of a device's request, and of a bank's, which holds an item for every device.
  static let deviceBodyMax = 64 * 1024
  static let bankBodyMax = 1024 * 1024
  /// Base64 letters of what one device is shown.
  static let payloadMax = 128 * 1024
  static let pushTokenMax = 4096
  static let tokenBytes = 16...512
}
