// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

/// Words that other systems keep with an activation, such as `VERIFICATION_PENDING`: devices read them in the status.
extension Activations {
  package static let flagsMax = 32
  package static let flagLengthMax = 64

  /// - Throws: `Problem` not found, `activation-state` or validation.
  package func addFlags(
    _ flags: [String], to id: Activation.ID, by actor: ActivationActor
  ) async throws -> Activation {
    try await changeFlags(of: id, by: actor) { $0 + flags }
  }

  package func removeFlags(
    _ flags: [String], from id: Activation.ID, by actor: ActivationActor
  ) async throws -> Activation {
    try await changeFlags(of: id, by: actor) { old in old.filter { !flags.contains($0) } }
  }

  package func setFlags(
    _ flags: [String], of id: Activation.ID, by actor: ActivationActor
  ) async throws -> Activation {
    try await changeFlags(of: id, by: actor) { _ in flags }
  }

  /// Inside the caller's transaction, for flows.
  package func setFlags(
    _ flags: [String], of id: Activation.ID, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation {
    var row = try living(id, in: tx)
    let flags = try Self.checked(flags)
    guard flags != row.flags else { return try activation(row, in: tx) }
    row.flags = flags
    return try activation(
      try save(row, "activation.flagged", by: actor, facts: ["flags": flags.joined(separator: " ")], in: tx), in: tx)
  }

  private func changeFlags(
    of id: Activation.ID, by actor: ActivationActor, _ change: @escaping @Sendable ([String]) -> [String]
  ) async throws -> Activation {
    try await database.write { [self] tx in
      try setFlags(change(try living(id, in: tx).flags), of: id, by: actor, in: tx)
    }
  }

  /// Each once, in the order in which they came.
  static func checked(_ flags: [String]) throws(Problem) -> [String] {
    var seen: Set<String> = []
    let flags = flags.filter { seen.insert($0).inserted }
    guard flags.count <= flagsMax,
      flags.allSatisfy({ flag in
        (1...flagLengthMax).contains(flag.utf8.count) && flag.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      })
    else {
      throw .validation([
        .init("/flags", "format", "Up to \(flagsMax) flags of 1 to \(flagLengthMax) ASCII characters, no spaces.")
      ])
    }
    return flags
  }
}

extension Activation {
  /// The flags of a user whose identity is not verified yet: what the device signs is no consent of theirs
  /// (wultra-onboarding §0, §9).
  package static let unverifiedFlags: Set<String> = ["VERIFICATION_PENDING", "VERIFICATION_IN_PROGRESS"]

  /// - Parameter flags: those that are accepted by name.
  package func isUnverified(accepting flags: [String]?) -> Bool {
    !Self.unverifiedFlags.subtracting(flags ?? []).isDisjoint(with: self.flags)
  }
}
