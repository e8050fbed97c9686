// SPDX-License-Identifier: Apache-2.0

import Activations
import Kit
import Storage

/// Letting a device in at a prompt, by the rule of the desk.
extension ProcessRepository {
  /// Lets a blocked device in again: where two persons have to, the first time asks, and a colleague agrees at the
  /// desk. A device that the bank's own server activated has no onboarding and no record; it takes the same two persons.
  /// - Parameters:
  ///   - reason: one of `reasons(of:)`.
  ///   - approval: the request that a colleague agreed to; nil finds it.
  /// - Returns: what is waited for; nil when the device is let in, or was before.
  /// - Throws: `Problem` not-found for a device that the reader may not see, or that is not blocked; forbidden for
  ///   one's own; validation for another reason; as `CaseRepository.request`.
  package func unblock(
    _ device: Activation.ID, because reason: String, naming approval: String? = nil, for reader: RecordReader
  ) async throws -> RequestedApproval? {
    try Self.check(reason)
    return try await core.database.write(retrying: .outdated) { [core] tx in
      guard let found = try ProcessStore(tx, vault: core.vault).find(activation: device.rawValue) else {
        return try unblockAlone(device, because: reason, naming: approval, for: reader, in: tx)
      }
      return try perform(
        RecordAct(Self.unblocking, device.rawValue), of: process(found.id.rawValue, for: reader, in: tx),
        because: reason, naming: approval, for: reader, in: tx)
    }
  }

  /// The request belongs to the user whose devices these are, and is erased with them.
  private func unblockAlone(
    _ id: Activation.ID, because reason: String, naming approval: String?, for reader: RecordReader,
    in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    // Of two that ask at once the later one runs again, and finds what the first one asked for.
    guard try activations.hold(id, in: tx), let device = try activations.find(id, in: tx),
      reader.scope.contains(device.tenant)
    else { throw Problem.notFound }
    try reader.requireOther(than: device.user)
    switch device.state {
    case .active: return nil
    case .blocked where unblocksNeedTwo:
      let asked = try core.cases.request(
        device.unblocking(because: reason), under: Activation.unblockRule, about: nil, tenant: device.tenant,
        person: activations.keySubject(of: device.user, tenant: device.tenant).id, by: reader.actor,
        naming: approval, in: tx)
      guard asked.state == .approved else { return asked }
      _ = try activations.unblock(device.id, because: reason, agreedBy: asked.id, by: .init(reader.actor), in: tx)
      return nil
    case .blocked:
      _ = try activations.unblock(device.id, by: .init(reader.actor), in: tx)
      return nil
    case .created, .pendingCommit, .removed: throw Problem.notFound
    }
  }
}
