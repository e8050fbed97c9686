// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import HTTP
import Kit

/// Every number that the specification leaves to us, in one place (finaptic §8.1, §10).
package struct FinapticPolicy: Sendable {
  /// Where browsers and apps reach this server: scheme, host, port and path prefix, without a slash at its end.
  package var publicURL = "http://127.0.0.1:8080"
  /// Who writes the mail: named in it.
  package var senderName = "Gatehouse"
  /// Whether the installation is one for tests: its controls are open to those who hold their scope.
  package var isSandbox = false
  /// Calls with one client key, and of one user, on one node.
  package var callsPerKey = RateLimit("finaptic-key", 12_000, per: .minutes(1))
  package var callsPerUser = RateLimit("finaptic-user", 600, per: .minutes(1))
  /// Calls with one client key from one network, on one node. A carrier has many phones in one network; a fifth of what
  /// the key may, so that no single one shuts a tenant out.
  package var callsPerNetwork = RateLimit("finaptic-network", 2_400, per: .minutes(1))
  /// Wrong passwords from one network, whosever they are for, on one node.
  package var wrongPerNetwork = RateLimit("finaptic-wrong", 60, per: .minutes(1))
  /// Unknown client keys from one network.
  package var refusals = RateLimit("finaptic-refusals", 60, per: .minutes(1))
  /// Unknown links of the hosted pages from one network.
  package var pageRefusals = RateLimit("finaptic-pages", 60, per: .minutes(1))
  /// Messages to telephones that are being enrolled: those that one user has sent, those from one network, and those
  /// to one number. Each costs the tenant money, and disturbs the owner of the number.
  package var enrolmentsPerUser = RateLimit("finaptic-enrol-user", 5, per: .hours(24))
  package var enrolmentsPerNetwork = RateLimit("finaptic-enrol-network", 60, per: .hours(1))
  package var enrolmentsPerNumber = RateLimit("finaptic-enrol-number", 5, per: .hours(24))
  /// Which numbers a tenant's users may enrol.
  package var phones: @Sendable (_ tenant: TenantID) -> PhonePolicy = { _ in PhonePolicy() }
  /// Messages with a link to one address.
  package var linksPerUser = RateLimit("finaptic-links", 5, per: .hours(1))
  /// Of the link in the reset mail.
  package var resetLifetime = Duration.hours(1)
  /// Of the link in the sign-up mail.
  package var verifyLifetime = Duration.days(7)
  /// Wrong passwords that lock a user, and for how long.
  package var failuresMax = 10
  package var lockLifetime = Duration.minutes(15)
  /// Conversations that a user starts or resumes.
  package var chatsPerUser = RateLimit("finaptic-chats", 120, per: .hours(1))
  package var conversations = ConversationPolicy()
  /// How long a stepped-up scope counts.
  package var stepUpLifetime = Duration.minutes(5)
  /// Autodeposit registrations that one customer makes, those of them for one alias, and those that all customers make
  /// for it: each has a message sent to the alias, whose holder may know nothing of it.
  package var registrationsPerCustomer = RateLimit("finaptic-autodeposit", 20, per: .hours(24))
  package var registrationsPerCustomerAndAlias = RateLimit("finaptic-autodeposit-asked", 3, per: .hours(24))
  package var registrationsPerAlias = RateLimit("finaptic-autodeposit-alias", 10, per: .hours(24))
  /// What the Interac network allows.
  package var interac = InteracRules()
  /// How long an application without changes is kept that did not make a customer.
  package var applicationRetention = Duration.days(90)

  /// How long an invitation can be answered (§8.10), and how many a customer may issue.
  package var invitationLifetime = Duration.hours(24)
  package var invitationsPerCustomer = RateLimit("finaptic-invitations", 30, per: .hours(1))
  /// Of the token that shows a card (§8.4), and how many a customer may ask for.
  package var cardTokenLifetime = Duration.minutes(5)
  package var cardTokensPerCustomer = RateLimit("finaptic-card-tokens", 30, per: .hours(1))
  /// How long a merchant has to confirm a purchase.
  package var authorizationLifetime = Duration.days(7)

  /// How many days before its booking the value date of a posting by the bank may lie.
  package var valueDaysBackMax = 31

  package init() {}

  /// Multiplies the limits of calls; for load tests and shared networks.
  package mutating func multiplyLimits(by factor: Int) {
    func more(_ limit: RateLimit) -> RateLimit { limit.times(factor) }
    (callsPerKey, callsPerUser, callsPerNetwork) = (more(callsPerKey), more(callsPerUser), more(callsPerNetwork))
    chatsPerUser = more(chatsPerUser)
    (refusals, pageRefusals, wrongPerNetwork) = (more(refusals), more(pageRefusals), more(wrongPerNetwork))
  }

  /// Bytes of a call's body: many calls need nothing but the key of the app, which is no secret.
  static let bodyMax = BodyBudget.smallMax
  /// Bytes of a body of many orders.
  static let ordersBodyMax = 512 * 1024
}
