// SPDX-License-Identifier: Apache-2.0

import Casework
import Kit

/// What was asked for in the name of persons, the newest first, and the form that asks.
struct RightsPage: ConsolePage {
  static var template: [UInt8] { PackageResources.RightsPage_mustache }

  struct Place {
    let code: String
    let label: String
  }

  /// What may become of money.
  struct MoneyOption {
    let code: String
    let label: Phrase
  }

  struct Row {
    let kind: Phrase
    /// Nil once the person was erased.
    let subject: String?
    let place: String
    let reason: String
    let despite: Bool
    /// What becomes of the person's money; nil where nothing was said of it.
    let money: Phrase?
    let maker: String
    let asked: Moment
    let state: Phrase
    let tone: String
    /// Where the form goes by which the reader carries it out; nil where the reader cannot.
    let erase: String?
    let export: String?
    let proof: String?
  }

  let rows: [Row]
  let hasRows: Bool
  let places: [Place]
  let ways: [MoneyOption]
  let hasWays: Bool
  let approvals = ApprovalRoutes.base
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  init(
    _ entries: [RightsCommands.Entry], _ places: [FlowTenant], ways: [String], at now: Instant, fault: Phrase?,
    for visit: StaffVisit
  ) {
    rows = entries.map { Row($0, at: now, for: visit) }
    hasRows = !rows.isEmpty
    self.places = places.map { Place(code: "\($0.flow)/\($0.tenant)", label: "\($0.flow): \($0.tenant)") }
    self.ways = ways.map { MoneyOption(code: $0, label: Phrase.money($0)) }
    hasWays = !ways.isEmpty
    (csrf, self.fault, foot) = (visit.csrf, fault, StaffFooter(visit))
  }
}

extension Phrase {
  fileprivate static func money(_ way: String) -> Phrase {
    Phrase("rights_money_\(way.replacing("-", with: "_"))")
  }
}

extension RightsPage.Row {
  init(_ entry: RightsCommands.Entry, at now: Instant, for visit: StaffVisit) {
    let request = entry.request
    // The word on the money counts as long as it is not given.
    let isMoneyOpen = request.money != nil && entry.approval?.state == .approved
    let approvalState = isMoneyOpen ? entry.money?.state : entry.approval?.state
    kind = Phrase("rights_\(request.kind.rawValue)")
    (subject, place) = (request.subject?.name, "\(request.place.flow): \(request.place.tenant)")
    (reason, despite, maker) = (request.reason.rawValue, request.despiteDuty, request.maker)
    money = request.money.map { Phrase.money($0.way) }
    asked = Moment(request.askedAt)
    let isReady = request.state == .begun || (request.state == .awaiting && approvalState == .approved)
    let isOpen = request.maker == visit.actor && isReady && request.askedAt + Approval.lifetime > now
    let path = RightsRoutes.path(of: request.id)
    erase = isOpen && request.kind == .erasure ? "\(path)/erasure" : nil
    export = isOpen && request.kind == .export ? "\(path)/export" : nil
    proof = request.proof == nil ? nil : "\(path)/proof"
    let word = request.state == .awaiting ? approvalState?.rawValue ?? "expired" : request.state.rawValue
    state = Phrase("rights_state_\(word)")
    tone = request.state == .finished ? "good" : ["refused", "expired", "withdrawn"].contains(word) ? "bad" : "open"
  }
}

/// What an erasure did.
struct RightsDonePage: ConsolePage {
  static var template: [UInt8] { PackageResources.RightsDonePage_mustache }

  /// In the words of the command.
  let lines: [String]
  /// What the proof states; nil where nothing was erased since erasures are proven.
  let proof: Proof?
  let back = RightsRoutes.base
  let foot: StaffFooter

  struct Proof {
    let href: String
    /// RFC 3339, as they stand in the document.
    let erasedAt: String
    let unreadableFrom: String?
    let keys: Count
    let values: Count
    let objects: Count
  }

  init(_ lines: [String], _ request: RightsRequest, by vault: Vault, for visit: StaffVisit) throws {
    self.lines = lines
    proof = try request.proof.map { document in
      let proof = try ErasureProof(document, by: vault)
      return Proof(
        href: "\(RightsRoutes.path(of: request.id))/proof", erasedAt: proof.erasedAt,
        unreadableFrom: proof.unreadableFrom, keys: Count(proof.keys.count),
        values: Count(proof.values.values.reduce(0, +)), objects: Count(proof.objects))
    }
    foot = StaffFooter(visit)
  }
}
