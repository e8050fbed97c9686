// SPDX-License-Identifier: Apache-2.0

import Activations
import Kit
import PowerAuthCore
import Storage

/// The onboardings with their verifications, for staff who look one up: by the ids of process and activation, or by the
/// user, of whom a keyed digest is kept. The device of one can be blocked, and let in again. The policy tells
/// whether two persons have to let it in.
package struct ProcessRepository: ActingRepository {
  static let (blocking, unblocking) = ("block-device", "unblock-device")
  /// Codes that the audit and the bank's systems are told.
  private static let reasons = [
    "CUSTOMER_REQUEST", "FRAUD_SUSPECTED", "LEGAL_ORDER", "DECEASED", "COMPLIANCE", "OPERATIONAL_ERROR",
  ]

  package let kind = "verifications"
  package let states = ProcessStatus.allCases.map(\.rawValue)
  let core: CoreDependencies
  let activations: Activations
  /// Whether letting a device in takes two persons.
  package let unblocksNeedTwo: Bool

  package init(_ core: CoreDependencies, activations: Activations, policy: WultraPolicy) {
    (self.core, self.activations, unblocksNeedTwo) = (core, activations, policy.unblocksNeedTwo)
  }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core, activations] tx in
      let store = ProcessStore(tx, vault: core.vault)
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        return RecordPage(
          try store.named(
            name, tenants: activations.tenants(in: tx), before: question.after, in: reader.scope,
            limit: RecordQuestion.pageMax + 1
          ).map(Self.row))
      }
      let statuses = question.state.flatMap(ProcessStatus.init(rawValue:)).map { [$0] } ?? ProcessStatus.allCases
      return RecordPage(
        try store.page(statuses, before: question.after, in: reader.scope, limit: RecordQuestion.pageMax + 1)
          .map(Self.row))
    }
  }

  package func reasons(of act: RecordAct) -> [String] { Self.reasons }

  package func act(
    _ act: RecordAct, of id: String, because reason: String, for reader: RecordReader
  ) async throws -> Bool {
    try Self.check(reason)
    return try await core.database.write(retrying: .outdated) { tx in
      try perform(act, of: process(id, for: reader, in: tx), because: reason, for: reader, in: tx) == nil
    }
  }

  static func check(_ reason: String) throws {
    guard reasons.contains(reason) else {
      throw Problem.validation([.init("/reason", reason.isEmpty ? "required" : "unknown-value", "Say why.")])
    }
  }

  /// - Returns: what is waited for; nil when it is done.
  func perform(
    _ act: RecordAct, of process: OnboardingProcess, because reason: String, naming approval: String? = nil,
    for reader: RecordReader, in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    guard process.activation == act.subject,
      let device = try activations.find(.init(rawValue: act.subject), in: tx)
    else { throw Problem.notFound }
    var facts = ["activation": device.id.rawValue, "reason": reason]
    switch (act.code, device.state) {
    case (Self.blocking, .blocked), (Self.unblocking, .active): return nil
    case (Self.blocking, _): _ = try activations.block(device.id, reason: reason, by: .init(reader.actor), in: tx)
    case (Self.unblocking, .blocked) where unblocksNeedTwo:
      // Of two that ask at once the later one runs again, and finds what the first one asked for.
      guard try ProcessStore(tx, vault: core.vault).touch(process.id) else { throw Problem.notFound }
      let asked = try core.cases.request(
        device.unblocking(because: reason), under: Activation.unblockRule, about: nil, tenant: process.tenant,
        person: process.id.rawValue, by: reader.actor, naming: approval, in: tx)
      guard asked.state == .approved else { return asked }
      _ = try activations.unblock(
        device.id, because: reason, agreedBy: asked.id, by: .init(reader.actor), in: tx)
      facts["checker"] = asked.checker
    case (Self.unblocking, _): _ = try activations.unblock(device.id, by: .init(reader.actor), in: tx)
    default: throw Problem.notFound
    }
    // In the same transaction as the line of the activation: why it was done, in the chain that the record shows.
    try core.audit.append(
      "wultra.device.\(act.code == Self.blocking ? "blocked" : "unblocked")", to: process.id.rawValue,
      by: reader.actor, facts: facts, in: tx)
    return nil
  }

  /// - Throws: `Problem` not-found, also for what is at another desk; forbidden for one's own.
  func process(_ id: String, for reader: RecordReader, in tx: any SQLTransaction) throws -> OnboardingProcess {
    guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: id)),
      reader.scope.contains(process.tenant)
    else { throw Problem.notFound }
    try reader.requireOther(than: process.person.user)
    return process
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [core, activations] tx in
      let process = try process(id, for: reader, in: tx)
      try core.audit.append(
        "wultra.process.seen", to: process.id.rawValue, by: reader.actor, facts: reader.looked, in: tx)
      let verifications = IdentityVerificationStore(tx)
      let tries = try verifications.ids(of: process.id).suffix(10).compactMap { try verifications.find($0) }
      let reviews = try tries.flatMap { try ReviewStore(tx).records(of: $0.id) }
      let decisions = try reviews.compactMap { record -> (code: String, value: String?)? in
        guard let reason = try record.reason(by: core.vault, in: tx) else { return nil }
        return ("decision", "\(record.closedAt?.rfc3339 ?? "") \(record.verdict?.rawValue ?? ""): \(reason)")
      }
      let device = try process.activation.flatMap { try activations.find(.init(rawValue: $0), in: tx) }
      let told = device.map { "\($0.device.name ?? "–") \($0.state)" }
      var file = RecordFile(
        Self.row(process),
        facts: [
          ("user", process.person.user), ("activation", process.activation), ("device", told),
          ("failure", process.failure?.rawValue), ("ends", process.deadline.rfc3339),
        ]
          + tries.map { item in
            let failure = item.failure.map { ", \($0.rawValue)" } ?? ""
            return ("verification", "\(item.createdAt.rfc3339) \(item.state.rawValue)\(failure)")
          } + decisions, subjects: reviews.map(\.review.id.rawValue), chain: process.id.rawValue)
      file.acts = try device.map { try acts(of: $0, in: process, for: reader, in: tx) } ?? []
      return file
    }
  }

  /// What can be done about a device: one that waits to be used, or is gone, is left alone.
  private func acts(
    of device: Activation, in process: OnboardingProcess, for reader: RecordReader, in tx: any SQLTransaction
  ) throws -> [RecordAct] {
    switch device.state {
    case .active: return [.init(Self.blocking, device.id.rawValue)]
    case .blocked:
      let asked = try core.cases.asked(about: device.id.rawValue, of: process.id.rawValue, in: tx).filter {
        $0.maker == reader.actor && $0.act == device.unblocking(because: $0.act.content)
      }
      let found = asked.first { $0.state == .approved } ?? asked.first { $0.state == .pending }
      return [
        .init(
          Self.unblocking, device.id.rawValue,
          asked: found.map { .init($0.act.content, isAgreed: $0.state == .approved) })
      ]
    case .created, .pendingCommit, .removed: return []
    }
  }

  private static func row(_ process: OnboardingProcess) -> RecordRow {
    RecordRow(
      id: process.id.rawValue, name: process.id.rawValue, tenant: process.tenant, state: process.status.rawValue,
      at: process.createdAt)
  }
}
