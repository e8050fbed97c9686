// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The port to a flow whose customers were screened: what the desk has to know of them, and what follows for them.
/// Every function runs inside the caller's transaction.
package struct ScreenedCustomers: Sendable {
  /// A customer or an applicant.
  package struct Customer: Sendable {
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

  /// Nil for whom the flow does not know.
  let find: @Sendable (_ subjectID: String, any SQLTransaction) throws -> Customer?
  /// A search that no step of the customer asked for found hits that wait. The customer must not notice it, unless the
  /// institution wants it so.
  let found: @Sendable (Screening.Record, any SQLTransaction) throws -> Void
  /// A person decided on a hit.
  let decided: @Sendable (_ subjectID: String, Screening.Standing, _ actor: String, any SQLTransaction) throws -> Void

  package init(
    find: @escaping @Sendable (_ subjectID: String, any SQLTransaction) throws -> Customer?,
    found: @escaping @Sendable (Screening.Record, any SQLTransaction) throws -> Void = { _, _ in },
    decided: @escaping @Sendable (
      _ subjectID: String, Screening.Standing, _ actor: String, any SQLTransaction
    ) throws -> Void = { _, _, _, _ in }
  ) {
    (self.find, self.found, self.decided) = (find, found, decided)
  }
}

extension Sequence<ScreenedCustomers> {
  /// The customer, with the flow that knows them.
  func owner(
    of subjectID: String, in tx: any SQLTransaction
  ) throws -> (flow: ScreenedCustomers, customer: ScreenedCustomers.Customer)? {
    for flow in self {
      if let customer = try flow.find(subjectID, tx) { return (flow, customer) }
    }
    return nil
  }
}
