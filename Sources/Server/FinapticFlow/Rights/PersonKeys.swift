// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

// What is kept of a user, and of the customer that they became, is sealed under one key: the user's. It is made when
// they sign up, and for older users by the job that seals again. All else is sealed under the key that is there, so
// that nothing that happens after an erasure makes another one.

extension KeySubject {
  /// A user whose key is made when it is missing.
  init(_ user: FinapticUser.ID, ofTenant tenant: Int) {
    self.init(user.rawValue, of: TenantID(FinapticModule.name, "\(tenant)"))
  }

  /// A user whose key is there already.
  init(_ user: FinapticUser.ID) { self.init(user.rawValue) }

  /// The user who became a customer; nil for one who is not there.
  static func customer(_ id: String?, in tx: any SQLTransaction) throws -> KeySubject? {
    try id.flatMap { try FinapticUserStore.id(ofCustomer: $0, in: tx) }.map { KeySubject($0) }
  }
}

extension KeySubject {
  /// An account: what is said of its transactions is its owners' together, and ends with the last of them.
  init(_ account: BankAccount.ID, ofTenant tenant: Int) {
    self.init(account.rawValue, of: TenantID(FinapticModule.name, "\(tenant)"))
  }
}

extension KeySubject {
  /// An application whose key is made when it is missing. It seals what the lists say of the applicant, which is found
  /// by the application; what the applicant says is sealed under the user's key.
  init(_ application: OnboardingApplication.ID, ofTenant tenant: Int) {
    self.init(application.rawValue, of: TenantID(FinapticModule.name, "\(tenant)"))
  }
}

extension FinapticModule {
  /// The user's own row first: the key is made for it.
  package static let sealedColumns = [
    SealedColumn("finaptic_user", "sealed_profile", of: "id", tenant: "CAST(tenant_id AS TEXT)", system: name),
    SealedColumn("finaptic_client_profile", "content", id: "customer_id", of: "user_id"),
    SealedColumn("finaptic_application", "content", of: "user_id"),
    SealedColumn("finaptic_factor", "sealed", id: "user_id || ':' || kind", of: "user_id"),
    SealedColumn("finaptic_link", "sealed", of: "user_id"),
    SealedColumn("finaptic_push_channel", "registration", of: channelUser, by: customer),
    SealedColumn("finaptic_autodeposit", "sealed_alias", of: aliasUser, by: customer),
    SealedColumn("finaptic_autodeposit", "sealed_token", of: aliasUser, by: customer),
    SealedColumn("finaptic_incoming_transfer", "sealed_content", id: "number", of: transferUser, by: customer),
    SealedColumn("finaptic_card", "content", of: cardUser, by: holder),
    SealedColumn("finaptic_card", "sealed_secrets", of: cardUser, by: holder),
    SealedColumn("finaptic_card_payment", "sealed_merchant", of: paymentUser, by: payer),
    SealedColumn("finaptic_invitation", "sealed_metadata", of: issuer, and: invited, by: invitation),
    noteColumn, scheduledColumn,
    // Of before: by the customer or the application that a message is about.
    SealedColumn("webhook_message", "sealed", of: webhookUser, isCounted: false),
    // Of before applications had keys. Proofs count them with `ScreeningModule.sealedColumns`.
    SealedColumn("screening", "findings", of: screened, tenant: screenedTenant, system: name, isCounted: false),
    SealedColumn(
      "screening_case", "particulars", of: caseApplication, tenant: caseTenant, system: name, isCounted: false),
  ]

  /// What the bank calls postings that wait, or waited, for their value date: of accounts, as notes are.
  static let scheduledColumn = SealedColumn(
    "finaptic_scheduled_posting", "sealed_reference", of: scheduledAccount, tenant: "CAST(tenant_id AS TEXT)",
    system: name, by: .init("account_id", in: "ledger_account", "id", of: "id"))

  /// Its subjects are accounts. Keys are made for those that an owner is left of.
  static let noteColumn = SealedColumn(
    "finaptic_transaction_note", "content", of: noteAccount, and: otherNoteAccount,
    tenant: """
      (SELECT MIN(CAST(t.tenant_id AS TEXT)) FROM finaptic_transaction t WHERE t.id = finaptic_transaction_note.id)
      """, system: name, by: .init("id", in: "finaptic_transaction", "id", of: "account_id"))

  // What the rows of a user are found by. Each has an index.
  private static let customer = SealedColumn.LookUp("customer_id", in: "finaptic_user", "customer_id", of: "id")
  private static let holder = SealedColumn.LookUp("holder_id", in: "finaptic_user", "customer_id", of: "id")
  private static let payer = SealedColumn.LookUp(
    "card_id", in: "finaptic_user u JOIN finaptic_card c ON c.holder_id = u.customer_id", "c.id", of: "u.id")
  private static let invitation = SealedColumn.LookUp(
    "id",
    in: """
      finaptic_user u JOIN finaptic_invitation i ON i.issuer_id = u.customer_id OR i.invited_id = u.customer_id
      """, "i.id", of: "u.id")

  private static let channelUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_push_channel.customer_id)
    """
  private static let aliasUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_autodeposit.customer_id)
    """
  private static let transferUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_incoming_transfer.customer_id)
    """
  private static let cardUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_card.holder_id)
    """
  private static let paymentUser: SQLColumns = """
    (SELECT u.id FROM finaptic_card c JOIN finaptic_user u ON u.customer_id = c.holder_id
     WHERE c.id = finaptic_card_payment.card_id)
    """
  private static let issuer: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_invitation.issuer_id)
    """
  /// Null for an invented customer.
  private static let invited: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_invitation.invited_id)
    """
  private static let webhookUser: SQLColumns = """
    COALESCE(
      (SELECT u.id FROM finaptic_user u WHERE u.customer_id = webhook_message.subject_id),
      (SELECT a.user_id FROM finaptic_application a WHERE a.id = webhook_message.subject_id))
    """
  /// Null for a person who is not of this flow.
  private static let screened: SQLColumns = """
    (SELECT a.id FROM finaptic_application a WHERE a.id = screening.subject_id)
    """
  private static let screenedTenant: SQLColumns = """
    (SELECT CAST(a.tenant_id AS TEXT) FROM finaptic_application a WHERE a.id = screening.subject_id)
    """
  private static let caseApplication: SQLColumns = """
    (SELECT a.id FROM finaptic_application a WHERE a.id = screening_case.subject_id)
    """
  private static let caseTenant: SQLColumns = """
    (SELECT CAST(a.tenant_id AS TEXT) FROM finaptic_application a WHERE a.id = screening_case.subject_id)
    """
  /// An emptied user owns nothing any more.
  private static let noteAccount: SQLColumns = """
    (SELECT MIN(t.account_id) FROM finaptic_transaction t
     JOIN ledger_party p ON p.account_id = t.account_id AND p.role = 'owner'
     JOIN finaptic_user u ON u.customer_id = p.party
     WHERE t.id = finaptic_transaction_note.id AND length(u.sealed_profile) > 0)
    """
  private static let scheduledAccount: SQLColumns = """
    (SELECT MIN(p.account_id) FROM ledger_party p JOIN finaptic_user u ON u.customer_id = p.party
     WHERE p.account_id = finaptic_scheduled_posting.account_id AND p.role = 'owner' AND length(u.sealed_profile) > 0)
    """
  private static let otherNoteAccount: SQLColumns = """
    (SELECT MAX(t.account_id) FROM finaptic_transaction t
     JOIN ledger_party p ON p.account_id = t.account_id AND p.role = 'owner'
     JOIN finaptic_user u ON u.customer_id = p.party
     WHERE t.id = finaptic_transaction_note.id AND length(u.sealed_profile) > 0)
    """
}
