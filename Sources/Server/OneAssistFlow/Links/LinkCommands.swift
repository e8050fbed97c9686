// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Sends the link to the second phone (oneassist §6).
struct LinkCommands: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let messenger: Messenger
  let memberships: MembershipService
  let answers: IdempotentAnswers

  /// What the message needs, sealed until it is sent.
  private struct Envelope: Codable {
    let token: String
    let number: String
  }

  private static func context(_ id: LinkStore.Link.ID) -> String { "oneassist_link.sealed:\(id)" }

  /// Sends a link, once for an `Idempotency-Key` (§8).
  /// - Throws: `Problem` 1003, MOBILE_INVALID, SECONDARY_EQUALS_PRIMARY; MEMBERSHIP_STATUS_CHANGED; RATE_LIMITED.
  func send(
    _ asked: OneAssist.LinkRequest, _ write: IdempotentAnswers.Write, by caller: SDKTokens.Caller
  ) async throws -> IdempotentAnswers.Answer {
    // Drawn once: the transaction may run again.
    let (id, token) = (LinkStore.Link.ID(core.world), core.world.secret())
    return try await core.database.writeOnce { tx in
      if let earlier = try answers.claim(write, in: tx) { return earlier }
      var membership = try memberships.find(order: asked.orderUUID, of: caller, in: tx)
      let status = membership.status
      let answer: OneAssist.LinkAnswer
      do {
        answer = try send(
          to: asked.verificationNo, for: &membership, id: id, token: token, by: caller.actor, in: tx)
      } catch let problem as Problem { throw problem.withStatus(status) }
      return try answers.keep(OneAssist.Envelope(answer), about: membership.keySubject, for: write, in: tx)
    }
  }

  private func send(
    to number: String?, for membership: inout Membership, id: LinkStore.Link.ID, token: String, by actor: String,
    in tx: any SQLTransaction
  ) throws -> OneAssist.LinkAnswer {
    guard let partner = try PartnerStore(tx, vault: core.vault).find(membership.partner) else {
      throw Problem.notFound
    }
    var facts = CallFacts(status: membership.status.rawValue)
    facts.hasIMEI = membership.imei != nil
    facts.argumentFault = SecondMobileNumber.fault(
      number ?? "", purchase: membership.content.mobile, countries: partner.countries)
    // The same preconditions and errors as in the SDK, which checks them before it calls.
    if case .argument(let fault)? = ActivationCall.sendUploadLink.firstFault(facts) { throw Self.problem(fault) }
    guard ActivationCall.sendUploadLink.firstFault(facts) == nil,
      let second = SecondMobileNumber(number ?? "", countries: partner.countries)
    else { throw Problem.statusChanged }
    let (store, now) = (LinkStore(tx), core.world.now())
    try checkPace(try store.times(of: membership.id, limit: policy.linksMax), at: now)
    // The link before this one is answered with 410 from here on.
    try store.withdraw(of: membership.id, at: now)
    let sealed = try core.vault.seal(
      Envelope(token: token, number: second.e164), as: Self.context(id), of: membership.keySubject, in: tx)
    try store.insert(
      .init(
        id: id, membership: membership.id, createdAt: now, expiresAt: now + policy.linkLifetime, withdrawnAt: nil,
        sealed: sealed), digest: core.vault.digest(link: token), number: core.vault.digest(number: second))
    (membership.linkSentAt, membership.secondLastFour) = (now, second.lastFour)
    try memberships.save(&membership, in: tx)
    try core.audit.note("link.sent", membership.id, by: actor, ["link": id.rawValue], in: tx)
    try core.outbox.enqueue("oneassist.sendLink", subject: id.rawValue, in: tx)
    return OneAssist.LinkAnswer(
      sentAt: now.rfc3339, retryAfterSeconds: Int64(policy.linkPause.wholeSeconds), maskedNumber: second.masked,
      taskInfo: .init(status: membership.status.rawValue))
  }

  /// - Parameter times: the newest first.
  private func checkPace(_ times: [Instant], at now: Instant) throws {
    let refused = Problem.oneAssist(.rateLimited, "RATE_LIMITED", "Too many links; try again later.")
    func wait(_ duration: Duration) -> Problem {
      refused.with { $0.retryAfterSeconds = max(1, Int((duration.milliseconds + 999) / 1000)) }
    }
    // No more links are allowed at all; the longest wait that clients understand is a day.
    if times.count >= policy.linksMax { throw wait(.days(1)) }
    if let last = times.first, now - last < policy.linkPause { throw wait(policy.linkPause - (now - last)) }
    let recent = times.filter { now - $0 < .hours(1) }
    if recent.count >= policy.linksPerHour { throw wait(.hours(1) - (now - recent[policy.linksPerHour - 1])) }
  }

  private static func problem(_ fault: ArgumentFault) -> Problem {
    switch fault {
    case .emptyMobileNumber: .oneAssist(.badRequest, fault.code, "Mobile number is empty")
    case .secondaryEqualsPrimary:
      .oneAssist(.badRequest, fault.code, "The second phone's number must not be the one the plan was bought with.")
    default: .oneAssist(.badRequest, ArgumentFault.mobileInvalid.code, "This is not a mobile number.")
    }
  }

  /// Texts the link. The message names neither the customer nor the phone; 160 letters of GSM are one message.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let id = LinkStore.Link.ID(rawValue: item.subject)
    // The link was replaced, or an earlier attempt sent the message and stopped before it was recorded.
    let found = try await core.database.read { [core] tx in
      try LinkStore(tx).find(id).map { ($0, try MembershipStore(tx, vault: core.vault).find($0.membership)?.partner) }
    }
    guard let (link, partner) = found, link.withdrawnAt == nil, let sealed = link.sealed else { return }
    // The message waited so long that the link has expired.
    guard link.expiresAt > core.world.now() else { return try await takeBack(link) }
    let envelope = try await core.database.read { [core] in
      try core.vault.open(sealed, as: Envelope.self, context: Self.context(id), in: $0)
    }
    var message = Message(
      .sms, to: envelope.number, body: Self.text(sender: policy.senderName, url: url(envelope.token)),
      locale: "en")
    (message.id, message.about) = (id.rawValue, link.membership.rawValue)
    message.template = "photo-link"
    message.tenant = partner.map { TenantID("oneassist", $0.rawValue) }
    do { try await messenger.send(message) } catch let refusal as MessageRefused {
      try await takeBack(link)
      throw refusal
    }
    try await core.database.write { try LinkStore($0).sent(id) }
  }

  func url(_ token: String) -> String { "\(policy.publicURL)/u/\(token)" }

  static func text(sender: String, url: String) -> String {
    "\(sender): take the photos of the phone to cover: \(url)"
  }

  /// The message was not delivered: the membership shows the link before it as the last one, if there is one.
  private func takeBack(_ link: LinkStore.Link) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = LinkStore(tx)
      try store.refused(link.id, at: core.world.now())
      guard var membership = try MembershipStore(tx, vault: core.vault).find(link.membership) else { return }
      membership.linkSentAt = try store.lastUsable(of: membership.id)
      try memberships.save(&membership, in: tx)
      try core.audit.note("link.refused", membership.id, by: "system", ["link": link.id.rawValue], in: tx)
    }
  }

  /// Whose link it is.
  /// - Throws: `Problem` not-found; gone LINK_EXPIRED for one that was replaced or whose time is over.
  func membership(_ token: String, in tx: any SQLTransaction) throws -> Membership {
    guard (16...128).contains(token.utf8.count),
      let link = try LinkStore(tx).find(digest: core.vault.digest(link: token)),
      let membership = try MembershipStore(tx, vault: core.vault).find(link.membership)
    else { throw Problem.notFound }
    guard link.withdrawnAt == nil, link.expiresAt > core.world.now() else { throw Problem.linkOver }
    return membership
  }
}
