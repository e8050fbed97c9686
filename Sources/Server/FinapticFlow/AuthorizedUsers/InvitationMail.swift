// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Kit
import Storage

/// Mail about invitations: to the invited when one is issued or confirmed, to the issuer when it is answered.
///
/// Whether there is such a customer is looked up when the mail is about to leave, so that every invitation takes as
/// long and does the same (finaptic §8.10).
struct InvitationMail: Sendable {
  static let topic = "finaptic.mailInvitation"
  static let issued = "issued"

  let core: CoreDependencies
  let messenger: Messenger
  let policy: FinapticPolicy

  private enum Event: String {
    case issued, accepted, declined, confirmed

    var isForIssuer: Bool { self == .accepted || self == .declined }
  }

  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    guard let event = Event(rawValue: item.payload) else { throw Unreadable() }
    let found = try await core.database.read { tx -> Message? in
      guard let invitation = try InvitationStore(tx, vault: core.vault).find(.init(rawValue: item.subject)),
        event != .issued || (invitation.status == .pending && !invitation.isOverdue(at: core.world.now())),
        let tenant = try TenantStore(tx).find(invitation.tenant)
      else { return nil }
      let customer = event.isForIssuer ? invitation.issuer : invitation.invited
      guard
        let user = try FinapticUserStore(tx, vault: core.vault).find(customer: customer, tenant: tenant.id)?.user
      else { return nil }
      let profile = try ClientProfileStore(tx, vault: core.vault).find(customer)
      let language = profile?.preferences?.language == "LANGUAGE_FR_CA" ? "fr" : "en"
      let text = language == "fr" ? french(event, tenant) : english(event, tenant)
      var message = Message(
        .email, to: user.profile.email, subject: "\(tenant.name): \(text.subject)", body: text.body, locale: language)
      (message.id, message.about) = ("\(invitation.id)-\(event.rawValue)", user.id.rawValue)
      message.template = "invitation-\(event.rawValue)"
      return message
    }
    if let found { try await messenger.send(found) }
  }

  /// Not a payload of this topic.
  struct Unreadable: FinalFailure {}

  private typealias Text = (subject: String, body: String)

  private func english(_ event: Event, _ tenant: FinapticTenant) -> Text {
    let (subject, words) =
      switch event {
      case .issued:
        (
          "you are invited to use an account",
          """
          A customer of \(tenant.name) invites you to use an account as an authorized user. Open the app to accept or to \
          decline within \(policy.invitationLifetime.wholeSeconds / 3600) hours.

          If you do not know who would invite you, do nothing: nothing happens unless you accept.
          """
        )
      case .accepted:
        (
          "your invitation was accepted",
          """
          Your invitation to use your account was accepted. Open the app to confirm it; until then no other person may \
          use the account.
          """
        )
      case .declined: ("your invitation was declined", "Your invitation to use your account was declined.")
      case .confirmed:
        ("you may use an account now", "You are now an authorized user of the account that you were invited to.")
      }
    return (subject, "\(words)\n\n\(policy.senderName)")
  }

  private func french(_ event: Event, _ tenant: FinapticTenant) -> Text {
    let (subject, words) =
      switch event {
      case .issued:
        (
          "invitation à utiliser un compte",
          """
          Un client de \(tenant.name) vous invite à utiliser un compte en tant qu'utilisateur autorisé. Ouvrez \
          l'application pour accepter ou refuser dans les \
          \(policy.invitationLifetime.wholeSeconds / 3600) heures.

          Si vous ne savez pas qui pourrait vous inviter, ne faites rien : rien ne se passe sans votre accord.
          """
        )
      case .accepted:
        (
          "votre invitation a été acceptée",
          """
          Votre invitation à utiliser votre compte a été acceptée. Ouvrez l'application pour la confirmer ; d'ici là, \
          personne d'autre ne peut utiliser le compte.
          """
        )
      case .declined:
        ("votre invitation a été refusée", "Votre invitation à utiliser votre compte a été refusée.")
      case .confirmed:
        (
          "vous pouvez utiliser un compte",
          "Vous êtes maintenant un utilisateur autorisé du compte auquel vous avez été invité."
        )
      }
    return (subject, "\(words)\n\n\(policy.senderName)")
  }
}
