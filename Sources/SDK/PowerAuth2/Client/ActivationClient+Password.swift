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
    let identifier = try session.requireActivation().identifier
    try await validatePassword(old)
    try relockKnowledge(from: old, to: new, of: identifier)
  }

  /// Changes the password without asking whether the old one is right: if it is not, the factor is lost.
  func changePasswordUnsafely(from old: PowerAuthCorePassword, to new: PowerAuthCorePassword) throws {
    try relockKnowledge(from: old, to: new, of: try session.requireActivation().identifier)
  }

  private func relockKnowledge(
    from old: PowerAuthCorePassword, to new: PowerAuthCorePassword, of identifier: ActivationIdentifier
  ) throws {
    let activation = try session.requireActivation()
    guard activation.identifier == identifier else { throw CallFailure.cancelled }
    let external = try externalKey(of: activation)
    let key = try unlockKnowledge(old, of: activation, external: external)
    let lock = try KnowledgeLock(new, salt: randomness.bytes(UnlockKey.saltBytes))
    let before = activation.record.knowledgeSalt
    try session.update(identifier) { record in
      // Two changes at once: the second would lock what it unlocked with a password that is none any more.
      guard record.knowledgeSalt == before else {
        throw CallFailure(.invalidActivationState, "The password was changed meanwhile.")
      }
      record.lockedKnowledgeKey = lock.key.lock(key, externalKey: external)
      record.knowledgeSalt = lock.salt
    }
  }
}
