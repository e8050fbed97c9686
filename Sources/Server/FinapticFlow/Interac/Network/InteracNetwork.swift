// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Kit
import Storage

/// The port to Interac's network, by the connector that a tenant names. What is told is how something stands, so that
/// telling it again, or late, changes nothing. The worker calls it.
package struct InteracNetwork: Sendable {
  /// What the connector is told.
  package enum Told: Sendable, Equatable {
    /// Where an alias's money goes.
    case registration(Registered)
    case registrationEnded(id: String)
    case transferEnded(Ended)
  }

  package struct Registered: Sendable, Equatable, Encodable {
    let id: String
    let alias_email, alias_phone_number: String?
    let account_id: String

    enum CodingKeys: CodingKey { case alias_email, alias_phone_number, account_id }
  }

  package struct Ended: Sendable, Equatable, Encodable {
    let number: String
    /// ACCEPTED: its money is on an account. CANCELED: the sender has it again.
    let status: String
    let account_id, transaction_id: String?
    let ended_at: String?

    enum CodingKeys: CodingKey { case status, account_id, transaction_id, ended_at }
  }

  /// - Throws: a `FinalFailure` when repeating cannot help, anything else when it may.
  package let tell: @Sendable (Told, _ tenant: Int) async throws -> Void

  package init(tell: @escaping @Sendable (Told, _ tenant: Int) async throws -> Void) { self.tell = tell }

  /// Reaches no connector: what is owed waits.
  package static let none = InteracNetwork { _, _ in throw Problem.unavailable }

  /// The connector says no: repeating cannot help.
  struct Refused: FinalFailure { let status: Int }

  /// The connector did not answer, or not now.
  struct Unavailable: Error { let status: Int }

  /// The connector that each tenant names, over HTTP with JSON and a bearer token: `PUT` and `DELETE` of
  /// `/registrations/{id}`, `PUT` of `/transfers/{number}` (docs/finaptic-banking.md). Neither requests nor answers are
  /// logged.
  package static func http(_ peer: PeerHTTP, database: any SQLDatabase, vault: Vault) -> InteracNetwork {
    InteracNetwork { told, tenant in
      guard
        let found = try await database.read({ try InteracConnectionStore($0, vault: vault).find(tenant) })
      else { return }
      let (method, path, body): (String, String, Data) =
        switch told {
        case .registration(let one): ("PUT", "registrations/\(one.id)", try JSONEncoder().encode(one))
        case .registrationEnded(let id): ("DELETE", "registrations/\(id)", Data())
        case .transferEnded(let one): ("PUT", "transfers/\(one.number)", try JSONEncoder().encode(one))
        }
      var headers = ["Authorization": "Bearer \(found.token)"]
      headers["Content-Type"] = body.isEmpty ? nil : "application/json"
      let answer = try await peer.send(.init(method, "\(found.url)/\(path)", headers: headers, body: body))
      switch (answer.status, method) {
      case (200..<300, _), (404, "DELETE"), (410, "DELETE"): return
      // A token that ran out or an address that moved is corrected by operators.
      case (400, _), (409, _), (422, _): throw Refused(status: answer.status)
      default: throw Unavailable(status: answer.status)
      }
    }
  }
}

/// What of this tenant's customers the network has to know. It is owed in the transaction that changes it, where the
/// tenant has a connector, and read when it is told.
struct InteracTelling: Sendable {
  static let topic = "finaptic.interacTold"

  enum Subject: String { case registration, transfer }

  let core: CoreDependencies
  let network: InteracNetwork

  static func owe(
    _ what: Subject, _ id: String, of tenant: Int, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard try InteracConnectionStore(tx, vault: core.vault).isSet(tenant) else { return }
    try core.outbox.enqueue(topic, subject: id, payload: "\(what.rawValue) \(tenant)", in: tx)
  }

  /// - Throws: `Problem` failed precondition for a tenant with real customers that no connector serves.
  static func require(of tenant: FinapticTenant, _ core: CoreDependencies, in tx: any SQLTransaction) throws {
    guard try tenant.isSandbox || InteracConnectionStore(tx, vault: core.vault).isSet(tenant.id) else {
      throw Problem.finaptic(.failedPrecondition, "This institution is not connected to Interac.")
    }
  }

  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ")
    guard words.count == 2, let what = Subject(rawValue: String(words[0])), let tenant = Int(words[1]) else {
      throw SQLError.unreadable("what is owed to Interac")
    }
    let told = try await core.database.read { [core] tx -> InteracNetwork.Told? in
      switch what {
      case .registration:
        let found = try RegistrationStore(tx, vault: core.vault).find(.init(rawValue: item.subject))
        guard let found, found.confirmedAt != nil, !found.isLapsed(at: core.world.now()) else {
          return .registrationEnded(id: item.subject)
        }
        let address = found.alias.destination
        return .registration(
          .init(
            id: item.subject, alias_email: found.alias.isEmail ? address : nil,
            alias_phone_number: found.alias.isEmail ? nil : address, account_id: found.account))
      case .transfer:
        guard let found = try IncomingTransferStore(tx, vault: core.vault).find(.init(rawValue: item.subject)) else {
          return nil
        }
        return .transferEnded(
          .init(
            number: item.subject, status: found.status(at: core.world.now()).rawValue, account_id: found.account,
            transaction_id: found.transaction, ended_at: found.endedAt?.rfc3339))
      }
    }
    if let told { try await network.tell(told, tenant) }
  }
}
