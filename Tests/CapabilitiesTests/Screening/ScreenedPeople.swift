// SPDX-License-Identifier: Apache-2.0

import Kit
import Screening
import Storage

/// A flow that knows whom a test wants.
struct ScreenedPeople: ScreenedCustomers {
  let known: @Sendable (_ subjectID: String, any SQLTransaction) throws -> ScreenedCustomer?
  let toldFound: @Sendable (Screening.Record, any SQLTransaction) throws -> Void
  let toldDecided: @Sendable (_ subjectID: String, Screening.CustomerStatus, _ actor: String) throws -> Void

  init(
    find: @escaping @Sendable (_ subjectID: String, any SQLTransaction) throws -> ScreenedCustomer?,
    found: @escaping @Sendable (Screening.Record, any SQLTransaction) throws -> Void = { _, _ in },
    decided: @escaping @Sendable (_ subjectID: String, Screening.CustomerStatus, _ actor: String) throws -> Void = {
      _, _, _ in
    }
  ) { (known, toldFound, toldDecided) = (find, found, decided) }

  func find(_ subjectID: String, in tx: any SQLTransaction) throws -> ScreenedCustomer? { try known(subjectID, tx) }
  func found(_ record: Screening.Record, in tx: any SQLTransaction) throws { try toldFound(record, tx) }
  func decided(
    _ subjectID: String, _ status: Screening.CustomerStatus, by actor: String, in tx: any SQLTransaction
  ) throws { try toldDecided(subjectID, status, actor) }
}

/// Lets a person decide on no customer.
struct OwnCase: DecisionRule {
  func require(decisionOn subjectID: String, in tx: any SQLTransaction) throws {
    throw Problem(.forbidden, "forbidden", "This is your own case.")
  }
  func require(proposalBy proposer: String, in tx: any SQLTransaction) throws {}
}
