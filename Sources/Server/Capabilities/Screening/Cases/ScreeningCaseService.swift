// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where persons decide on hits, whichever flow the customer is of: each method is one transaction, in which the flow
/// follows.
package struct ScreeningCaseService: Sendable {
  /// A case with what an analyst needs to know of it.
  package struct Item: Sendable {
    package let item: Screening.Case
    /// The screening that found it last.
    package let record: Screening.Record?
    /// Nil for customers whom no flow knows any more.
    package let tenant: TenantID?
    package let needsTwo: Bool
  }

  /// Cases that one page shows at most.
  package static let pageMax = 200

  let core: CoreDependencies
  let customers: [any ScreenedCustomers]
  /// Which entries are gone from their lists.
  let delisted: Delistings
  /// Whether two persons decide on customers whom no flow knows.
  private static let needsTwoOtherwise = true

  /// - Parameter delistings: those of the process; nil in a program that ends soon.
  package init(_ core: CoreDependencies, customers: [any ScreenedCustomers], delistings: Delistings? = nil) {
    (self.core, self.customers) = (core, customers)
    delisted = delistings ?? Delistings(core)
  }

  private var screening: Screening { Screening(core) }

  /// Cases that wait for a person, the longest first. Customers who were erased are left out.
  ///
  /// Only the flows know whose customer it is, so that the queue is read in pages until there are enough: cases of
  /// other institutions hide none of one's own.
  /// - Parameter tenant: whose customers; nil is everyone's.
  package func waiting(of tenant: TenantID? = nil, limit: Int = pageMax, by actor: String) async throws -> [Item] {
    let limit = min(limit, Self.pageMax)
    var items: [Item] = []
    var last: ScreeningCaseStore.Waiting?
    repeat {
      let page = try await core.database.read { [self, last] tx in
        let waiting = try ScreeningCaseStore(tx, core.vault).waiting(after: last, limit: Self.pageMax)
        let mine = try waiting.compactMap(\.item).filter {
          try tenant == nil || customers.owner(of: $0.subjectID, in: tx)?.customer.tenant == tenant
        }
        return (waiting, try mine.prefix(limit).map { try item($0, in: tx) })
      }
      items += page.1
      last = page.0.count < Self.pageMax ? nil : page.0.last
    } while last != nil && items.count < limit
    let shown = Array(items.prefix(limit))
    try await core.database.write { [core] tx in
      try core.audit.append(
        "screening.cases_listed", to: Self.chain, by: actor, facts: ["count": "\(shown.count)"], in: tx)
    }
    return shown
  }

  /// - Throws: `Problem` not-found.
  package func find(_ id: Screening.Case.ID) async throws -> Item {
    try await core.database.read { [self] tx in
      guard let found = try screening.findCase(id, in: tx) else { throw Problem.notFound }
      return try item(found, in: tx)
    }
  }

  /// Every case of a customer, those that wait before the others.
  package func cases(of subjectID: String) async throws -> [Item] {
    try await core.database.read { [self] tx in
      let found = try screening.cases(of: subjectID, in: tx)
      return try (found.filter(\.state.isWaiting) + found.filter { !$0.state.isWaiting }).map { try item($0, in: tx) }
    }
  }

  /// How many cases wait for a person, and since when the first of them does.
  package func backlog() async throws -> (count: Int, since: Instant?) {
    try await core.database.read { [vault = core.vault] in try ScreeningCaseStore($0, vault).backlog() }
  }

  /// Judges a hit: decides it, or proposes that to a second person where the institution wants two.
  /// - Parameters:
  ///   - version: of the case that the person saw; nil judges it as it is now.
  ///   - tenant: whose staff judges; nil for an operator of the installation.
  ///   - rule: which customers the person may decide on; nil for all.
  /// - Throws: `Problem` not-found, validation-failed, or conflict, as `case-changed`.
  package func judge(
    _ id: Screening.Case.ID, _ judgement: Screening.Judgement, version: Int? = nil, of tenant: TenantID? = nil,
    by actor: String, under rule: (any DecisionRule)? = nil
  ) async throws -> Item {
    let text = judgement.text.trimmingPrefix(while: \.isWhitespace)
    guard !text.isEmpty else {
      throw Problem.validation([.init("/text", "required", "Say why, in 1 to \(Screening.textMax) characters.")])
    }
    if judgement.disposition == .falsePositive, judgement.reason == nil {
      throw Problem.validation([.init("/reason", "required", "Say which reason of the catalogue it is.")])
    }
    return try await core.database.write(retrying: .outdated) { [self] tx in
      let (found, owner) = try open(id, of: tenant, under: rule, in: tx)
      guard version == nil || version == found.version else { throw Problem.caseChanged }
      let judged = try screening.judge(
        found, judgement, needsTwo: owner?.customer.needsTwo ?? Self.needsTwoOtherwise, by: actor, in: tx)
      return try follow(judged, owner, by: actor, in: tx)
    }
  }

  /// Approves what another person proposed, in the version that the approver saw.
  /// - Throws: `Problem` as `Screening.approve`; as of the rule for a proposer who may decide no more.
  package func approve(
    _ id: Screening.Case.ID, _ disposition: Screening.Disposition, version: Int, text: String = "",
    of tenant: TenantID? = nil, by actor: String, under rule: (any DecisionRule)? = nil
  ) async throws -> Item {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let (found, owner) = try open(id, of: tenant, under: rule, in: tx)
      if found.state == .awaitingApproval, let proposer = found.proposedBy {
        try rule?.require(proposalBy: proposer, in: tx)
      }
      let approved = try screening.approve(
        disposition, of: found.id, version: version, text: text, by: actor, in: tx)
      return try follow(approved, owner, by: actor, in: tx)
    }
  }

  /// Takes a proposal back, so that the hit waits for an analyst again.
  /// - Throws: `Problem` as `Screening.giveBack`.
  package func giveBack(
    _ id: Screening.Case.ID, version: Int, text: String, of tenant: TenantID? = nil, by actor: String,
    under rule: (any DecisionRule)? = nil
  ) async throws -> Item {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let (found, owner) = try open(id, of: tenant, under: rule, in: tx)
      let returned = try screening.giveBack(found.id, version: version, text: text, by: actor, in: tx)
      return try follow(returned, owner, by: actor, in: tx)
    }
  }

  private typealias Owner = (flow: any ScreenedCustomers, customer: ScreenedCustomer)

  /// The case that a person decides on, with the flow that knows its customer.
  private func open(
    _ id: Screening.Case.ID, of tenant: TenantID?, under rule: (any DecisionRule)?, in tx: any SQLTransaction
  ) throws -> (found: Screening.Case, owner: Owner?) {
    guard let found = try screening.findCase(id, in: tx) else { throw Problem.notFound }
    let owner = try customers.owner(of: found.subjectID, in: tx)
    // Of another institution: not there.
    guard tenant == nil || owner?.customer.tenant == tenant else { throw Problem.notFound }
    try rule?.require(decisionOn: found.subjectID, in: tx)
    return (found, owner)
  }

  /// Lets the customer's flow follow a case that waits no more.
  private func follow(
    _ changed: Screening.Case, _ owner: Owner?, by actor: String, in tx: any SQLTransaction
  ) throws -> Item {
    if !changed.state.isWaiting {
      try owner?.flow.decided(
        changed.subjectID, screening.status(of: changed.subjectID, in: tx), by: actor, in: tx)
    }
    return try item(changed, in: tx)
  }

  private func item(_ found: Screening.Case, in tx: any SQLTransaction) throws -> Item {
    let owner = try customers.owner(of: found.subjectID, in: tx)
    return Item(
      item: found, record: try screening.find(found.screeningID, in: tx), tenant: owner?.customer.tenant,
      needsTwo: owner?.customer.needsTwo ?? Self.needsTwoOtherwise)
  }

  /// The audit chain of what no single case is about.
  static let chain = "screening-desk"
}

/// Which customers' hits a person may decide on, and whose proposals may be approved.
package protocol DecisionRule: Sendable {
  /// - Throws: `Problem` when the person must not decide on that customer.
  func require(decisionOn subjectID: String, in tx: any SQLTransaction) throws
  /// - Parameter proposer: as lines of the audit log name them.
  /// - Throws: `Problem` when what they proposed may not be approved any more.
  func require(proposalBy proposer: String, in tx: any SQLTransaction) throws
}
