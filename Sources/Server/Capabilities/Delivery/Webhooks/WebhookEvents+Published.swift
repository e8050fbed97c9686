// SPDX-License-Identifier: Apache-2.0

extension WebhookEvents {
  /// The types that this program publishes, each where it happens; `scripts/webhook-events-reference` compares.
  package static let published = [
    "AccountCreated", "AccountStatusChanged", "AuthorizedUserAdded", "AuthorizedUserRemoved", "Canceled",
    "CardCreated", "CardUpdated", "CustomerOnboarded", "DataConfirmed", "InvitationAcceptedOrDeclined",
    "InvitationConfirmed", "InvitationIssued", "KYCFailed", "OwnerAdded", "ProductOnboarded", "Rejected",
    "TransactionCreated", "authorization.cancelled", "authorization.confirmed", "authorization.denied",
    "authorization.expired", "call.begun", "call.ended", "connection.revoked", "consent.revoked",
    "membership.status_changed", "process.failed", "process.finished", "process.verifying", "screening.hit_waiting",
  ]

  /// Why a name is no type that an endpoint can be added for.
  ///
  /// Endpoints that are stored keep the names they have: those of an earlier release may be others.
  /// - Returns: the published type that is nearest to the name, in a sentence; nil for a published type and for `*`.
  package static func fault(of name: String) -> String? {
    guard name != "*", !published.contains(name) else { return nil }
    guard isType(name), let nearest = nearest(to: name) else { return "no type of event has such a name" }
    return "no type of event is called \(name); the nearest is \(nearest)"
  }

  private static func nearest(to name: String) -> String? {
    let letters = name.lowercased()
    return published.map { (type: $0, edits: $0.lowercased().difference(from: letters).count) }
      .min { $0.edits < $1.edits }?.type
  }
}
