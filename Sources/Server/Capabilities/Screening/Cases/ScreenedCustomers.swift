// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A flow whose customers were screened: what the desk has to know of them, and what follows for them.
/// Every function runs inside the caller's transaction.
package protocol ScreenedCustomers: Sendable {
  /// Nil for whom the flow does not know.
  func find(_ subjectID: String, in tx: any SQLTransaction) throws -> ScreenedCustomer?

  /// A search that no step of the customer asked for found hits that wait. The customer must not notice it, unless the
  /// institution wants it so. By default nothing follows.
  func found(_ record: Screening.Record, in tx: any SQLTransaction) throws

  /// A person decided on a hit. By default nothing follows.
  func decided(
    _ subjectID: String, _ status: Screening.CustomerStatus, by actor: String, in tx: any SQLTransaction
  ) throws
}

extension ScreenedCustomers {
  package func found(_ record: Screening.Record, in tx: any SQLTransaction) throws {}

  package func decided(
    _ subjectID: String, _ status: Screening.CustomerStatus, by actor: String, in tx: any SQLTransaction
  ) throws {}
}

/// A customer or an applicant, as the desk knows them.
package struct ScreenedCustomer: Sendable {
  package let tenant: TenantID
  /// Whether two persons decide on a hit.
  package let needsTwo: Bool
  /// Whether lists are searched for them when these change. Those who were refused or went away are no customers.
  package let isScreened: Bool
  /// Where hits of the customer wait that no step found; nil where the flow has a case of its own for them.
  package let queue: Screening.Queue?

  package init(tenant: TenantID, needsTwo: Bool, isScreened: Bool, queue: Screening.Queue? = nil) {
    (self.tenant, self.needsTwo, self.isScreened, self.queue) = (tenant, needsTwo, isScreened, queue)
  }
}

extension Sequence<any ScreenedCustomers> {
  /// The customer, with the flow that knows them.
  func owner(
    of subjectID: String, in tx: any SQLTransaction
  ) throws -> (flow: any ScreenedCustomers, customer: ScreenedCustomer)? {
    for flow in self {
      if let customer = try flow.find(subjectID, in: tx) { return (flow, customer) }
    }
    return nil
  }
}
