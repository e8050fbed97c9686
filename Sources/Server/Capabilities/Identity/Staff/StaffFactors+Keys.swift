// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Security keys (Web Authentication): the second factor that a page of another site cannot ask for.
extension StaffFactors {
  package static let keysMax = 10
  static let challengeLifetime = Duration.minutes(5)

  /// What a challenge is for.
  package enum Ceremony: String, Sendable, SQLConvertible { case registration, assertion }

  /// A new challenge for a session, which takes the place of the one before.
  package func challenge(for ceremony: Ceremony, in session: SessionFamily.ID) async throws -> Data {
    let challenge = Data(core.world.random(WebAuthn.challengeLength))
    let end = core.world.now() + Self.challengeLifetime
    try await core.database.write { try StaffKeyStore($0).set(challenge, for: ceremony, in: session, until: end) }
    return challenge
  }

  /// Takes the challenge of a session, right or wrong answer: it counts once.
  private func take(_ ceremony: Ceremony, in session: SessionFamily.ID) async throws -> Data? {
    let now = core.world.now()
    return try await core.database.write { try StaffKeyStore($0).takeChallenge(ceremony, in: session, at: now) }
  }

  /// Adds a key to a member who has an authenticator app, and ends the member's other sessions.
  /// - Throws: `Problem` unprocessable `security-key-refused`; conflict `security-key-exists`; token-revoked for a
  ///   session that ended meanwhile.
  package func register(
    clientData: Data, attestation: Data, of member: StaffMember, in session: SessionFamily.ID, with webAuthn: WebAuthn
  ) async throws {
    let state = try await state(of: member.id)
    guard let challenge = try await take(.registration, in: session), state.isEnrolled, state.keys.count < Self.keysMax,
      let credential = try? webAuthn.register(clientData: clientData, attestation: attestation, challenge: challenge)
    else { throw Problem(.unprocessable, "security-key-refused", "The security key was not accepted. Try again.") }
    do {
      try await core.database.write(retrying: .outdated) { [core] tx in
        try SessionStore(tx).requireOpen(session, at: core.world.wall())
        try StaffKeyStore(tx).insert(credential, of: member.id, at: core.world.now())
        try SessionStore(tx).revokeAll(of: member.id.rawValue, except: session, at: core.world.now())
        try core.audit.append("staff.key_added", to: member.id.rawValue, by: member.actor, in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "security-key-exists", "This security key is registered already.")
    }
  }

  /// Takes a key away, and ends the member's other sessions.
  /// - Throws: `Problem` not found for a key that the member does not have; token-revoked for a session that ended
  ///   meanwhile.
  package func removeKey(_ credential: Data, of member: StaffMember, in session: SessionFamily.ID) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try SessionStore(tx).requireOpen(session, at: core.world.wall())
      guard try StaffKeyStore(tx).delete(credential, of: member.id) else { throw Problem.missing(.securityKey) }
      try SessionStore(tx).revokeAll(of: member.id.rawValue, except: session, at: core.world.now())
      try core.audit.append("staff.key_removed", to: member.id.rawValue, by: member.actor, in: tx)
    }
  }

  /// What a browser answers to a challenge.
  package struct Assertion: Sendable {
    package let credential: Data
    package let clientData: Data
    package let authenticatorData: Data
    package let signature: Data

    package init(credential: Data, clientData: Data, authenticatorData: Data, signature: Data) {
      (self.credential, self.clientData) = (credential, clientData)
      (self.authenticatorData, self.signature) = (authenticatorData, signature)
    }
  }

  /// Checks the answer of one of the member's keys. Wrong answers are counted with wrong codes.
  package func prove(
    _ assertion: Assertion, of member: StaffMember, in session: SessionFamily.ID, with webAuthn: WebAuthn,
    network: String? = nil
  ) async throws -> Proof {
    let challenge = try await take(.assertion, in: session)
    return try await core.database.write(retrying: .outdated) { [self] tx in
      try attempt(by: member, network, in: tx) {
        let store = StaffKeyStore(tx)
        guard let challenge,
          let key = try store.all(of: member.id).first(where: { $0.credential.id == assertion.credential })
        else { return .refused(reason: "key-unknown") }
        do {
          let count = try webAuthn.assert(
            clientData: assertion.clientData, authenticatorData: assertion.authenticatorData,
            signature: assertion.signature, challenge: challenge, by: key.credential)
          guard try store.advance(key.credential, to: count, at: core.world.now()) else {
            return .refused(reason: "key-counter")
          }
          return .accepted(by: "security-key")
        } catch let refusal as WebAuthn.Refusal { return .refused(reason: "key-\(refusal.rawValue)") }
      }
    }
  }
}
