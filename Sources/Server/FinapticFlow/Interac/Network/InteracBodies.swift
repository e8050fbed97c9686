// SPDX-License-Identifier: Apache-2.0
import FinapticWire

/// What a connector to Interac sends. Members are in snake case and read strictly.
enum InteracBodies {
  /// Money that somebody sent to an alias.
  struct Transfer: Codable, Sendable {
    /// The connector's, 1 to 64 visible characters of ASCII: the same message has the same answer.
    let message_id: String
    /// What the network calls it.
    let interac_payment_number: String
    /// One of the two.
    let alias_email, alias_phone_number: String?
    let amount: FinapticAPI.Amount
    let sender_name: String
    let sender_memo: String?
    /// Asked of the recipient, where the transfer goes by no registration.
    let security_question: String?
    /// The answer in capitals with the salt behind it, by SHA-256 (finaptic §8.8): the answer itself is not sent.
    let hash_salt, answer_hash: String?
    /// When the sender has it again; nil for the installation's own time.
    let expires_at: String?
  }

  struct Recall: Codable, Sendable {
    let message_id: String
    let interac_payment_number: String
  }
}
