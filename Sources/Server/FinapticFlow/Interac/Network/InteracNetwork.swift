// SPDX-License-Identifier: Apache-2.0
import Delivery
import Foundation
import Kit
import Storage

/// The port to Interac's network, by the connector that a tenant names. What is told is how something stands, so that
/// telling it again, or late, changes nothing. The worker calls it.
package struct InteracNetwork: Sendable {
  /// What the connector is told.
  package enum Notification: Sendable, Equatable {
    /// Where an alias's money goes.
    case registration(Registered)
    /// For good. The transaction that ends it owes a version greater than all before.
    case registrationEnded(id: String, version: Int)
    case transferEnded(Ended)
  }

  package struct Registered: Sendable, Equatable, Encodable {
    let id: String
    let alias_email, alias_phone_number: String?
    let account_id: String
    /// Grows with each change of the registration.
    let version: Int

    enum CodingKeys: CodingKey { case alias_email, alias_phone_number, account_id, version }
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
  package let tell: @Sendable (Notification, _ tenant: Int) async throws -> Void

  package init(tell: @escaping @Sendable (Notification, _ tenant: Int) async throws -> Void) { self.tell = tell }

  /// Reaches no connector: what is owed waits.
  package static let none = InteracNetwork { _, _ in throw Problem.unavailable }

  /// The connector says no: repeating cannot help.
  struct Refused: FinalFailure { let status: Int }

  /// The connector did not answer, or not now.
  struct Unavailable: Error { let status: Int }

  /// The connector that each tenant names, over HTTP with JSON and a bearer token: `PUT` and `DELETE` of
  /// `/registrations/{id}` with the header `Registration-Version`, `PUT` of `/transfers/{number}`
  /// (docs/finaptic-banking.md). Neither requests nor answers are logged.
  package static func http(_ peer: PeerHTTP, database: any SQLDatabase, vault: Vault) -> InteracNetwork {
    InteracNetwork { told, tenant in
      guard
        let found = try await database.read({ try ConnectorStore($0, of: .interac, vault: vault).find(tenant) })
      else { return }
      let (method, path, body, version): (String, String, Data, Int?) =
        switch told {
        case .registration(let one): ("PUT", "registrations/\(one.id)", try JSONEncoder().encode(one), one.version)
        case .registrationEnded(let id, let version): ("DELETE", "registrations/\(id)", Data(), version)
        case .transferEnded(let one): ("PUT", "transfers/\(one.number)", try JSONEncoder().encode(one), nil)
        }
      var headers = ["Authorization": "Bearer \(found.token)"]
      headers["Registration-Version"] = version.map { "\($0)" }
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
struct InteracNotifier: Sendable {
  static let topic = "finaptic.interacTold"

  enum Subject: String {
    case registration, transfer
    /// All confirmed registrations of the tenant whose ids are greater than the subject.
    case directory
  }

  /// Registrations that are owed in one transaction.
  private static let pageMax = 500
  /// How often a registration that changes while it is told is told at once; then it is tried later.
  private static let tellingsMax = 5

  let core: CoreDependencies
  let network: InteracNetwork

  /// - Parameter version: of the registration when it is owed, for the case that its row is gone when it is told.
  static func owe(
    _ what: Subject, _ id: String, at version: Int = 0, of tenant: Int, dueAt: Instant? = nil,
    _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard try ConnectorStore(tx, of: .interac, vault: core.vault).isSet(tenant) else { return }
    try core.outbox.enqueue(
      topic, subject: id, payload: "\(what.rawValue) \(tenant) \(version)", dueAt: dueAt, in: tx)
  }

  /// - Throws: `Problem` failed precondition for a tenant with real customers that no connector serves.
  static func require(of tenant: FinapticTenant, _ core: CoreDependencies, in tx: any SQLTransaction) throws {
    guard try tenant.isSandbox || ConnectorStore(tx, of: .interac, vault: core.vault).isSet(tenant.id) else {
      throw Problem.finaptic(.failedPrecondition, "This institution is not connected to Interac.")
    }
  }

  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ")
    guard words.count == 3, let what = Subject(rawValue: String(words[0])), let tenant = Int(words[1]),
      let owed = Int(words[2])
    else { throw SQLError.unreadable("what is owed to Interac") }
    switch what {
    case .registration: try await tellRegistration(item.subject, at: owed, of: tenant)
    case .transfer:
      let found = try await core.database.read { [core] tx in
        try IncomingTransferStore(tx, vault: core.vault).find(.init(rawValue: item.subject))
      }
      guard let found else { return }
      let ended = InteracNetwork.Ended(
        number: item.subject, status: found.status(at: core.world.now()).rawValue, account_id: found.account,
        transaction_id: found.transaction, ended_at: found.endedAt?.rfc3339)
      try await network.tell(.transferEnded(ended), tenant)
    case .directory:
      try await core.database.write(retrying: .outdated) { [core] tx in
        let page = try RegistrationStore(tx, vault: core.vault).confirmed(
          of: tenant, after: item.subject, limit: Self.pageMax)
        for id in page { try Self.owe(.registration, id, of: tenant, core, in: tx) }
        guard page.count == Self.pageMax, let last = page.last else { return }
        try Self.owe(.directory, last, of: tenant, core, in: tx)
      }
    }
  }

  /// Between its reading and its telling another node may tell what came later. So it is read again, and told until what
  /// stands is what was told last; an end stays.
  private func tellRegistration(_ id: String, at owed: Int, of tenant: Int) async throws {
    var last: InteracNetwork.Registered?
    for _ in 0..<Self.tellingsMax {
      let version = last?.version ?? owed
      let now = try await core.database.read { try notification(id, at: version, in: $0) }
      if case .registration(let one) = now, one == last { return }
      try await network.tell(now, tenant)
      guard case .registration(let one) = now else { return }
      last = one
    }
    throw SQLError.outdated
  }

  /// - Parameter version: the last one that is known.
  private func notification(
    _ id: String, at version: Int, in tx: any SQLTransaction
  ) throws -> InteracNetwork.Notification {
    let found = try RegistrationStore(tx, vault: core.vault).find(.init(rawValue: id))
    guard let found, found.confirmedAt != nil, !found.isLapsed(at: core.world.now()) else {
      return .registrationEnded(id: id, version: (found?.version ?? version) + 1)
    }
    let address = found.alias.destination
    return .registration(
      .init(
        id: id, alias_email: found.alias.isEmail ? address : nil,
        alias_phone_number: found.alias.isEmail ? nil : address, account_id: found.account, version: found.version))
  }
}
