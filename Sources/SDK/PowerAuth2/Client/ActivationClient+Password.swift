// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// The knowledge factor (powerauth.md §9).
extension ActivationClient {
  /// Has the server say whether this is the password. A wrong one counts.
  func validatePassword(_ password: PowerAuthCorePassword) async throws {
    try await validateSignature(PowerAuthAuthentication(password: password), .validatePassword)
  }

  /// Changes the password once the server has confirmed the old one.
  func changePassword(from old: PowerAuthCorePassword, to new: PowerAuthCorePassword) async throws {
    // Refused before the old one is tried, which might count.
    _ = try KnowledgeLock(new, salt: Data(count: UnlockKey.saltBytes))
    let activation = try session.requireActivation()
    try await validatePassword(old)
    try relockKnowledge(of: activation, from: old, to: new)
  }

  /// Changes the password without asking whether the old one is right: if it is not, the factor is lost.
  func changePasswordUnsafely(from old: PowerAuthCorePassword, to new: PowerAuthCorePassword) throws {
    try relockKnowledge(of: try session.requireActivation(), from: old, to: new)
  }

  /// - Parameter activation: as it was when the old password was the right one.
  private func relockKnowledge(
    of activation: ActiveActivation, from old: PowerAuthCorePassword, to new: PowerAuthCorePassword
  ) throws {
    let external = try externalKey(of: activation.record)
    let key = try unlockKnowledge(old, of: activation, external: external)
    let lock = try KnowledgeLock(new, salt: randomness.bytes(UnlockKey.saltBytes))
    try session.update(activation.identifier) { record in
      // The slower call would lock the factor with a password that was not chosen last.
      guard record.lockedKnowledgeKey == activation.record.lockedKnowledgeKey else {
        throw CallFailure(.invalidActivationState, "The password was changed meanwhile.")
      }
      record.lockedKnowledgeKey = lock.key.lock(key, externalKey: external)
      record.knowledgeSalt = lock.salt
    }
  }
}
