// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Lets a device in (powerauth.md §3.2): by a code, by a recovery code, or by what a flow's provider makes of its
  /// attributes. The new activation, its audit and whatever the provider changes commit together; so does the count of
  /// a refusal.
  /// - Throws: `Problem.activationInvalid` for everything that counts nothing: an app that is not supported, a code
  ///   that is unknown, used or over, a recovery code that is not active, attributes that no provider accepts.
  package func create(_ device: NewDevice, _ identity: ActivationIdentity) async throws -> ActivationCreation {
    guard let agreement = try? KeyAgreement(with: device.publicKey, world: world) else {
      throw Problem.activationInvalid
    }
    switch identity {
    case .code(let code):
      let digest = digest(of: code)
      return try await database.write { [self] tx in
        try join(device, agreement, codeDigest: digest, release: try release(of: device, in: tx), in: tx)
      }
    case .recovery(let code, let puk):
      return try await database.write { [self] tx in
        try recover(device, agreement, code, puk, release: try release(of: device, in: tx), in: tx)
      }
    case .custom(let identity, let attributes):
      // A provider may decide from rows that are not there.
      return try await database.write(.serializable) { [self] tx in
        let release = try release(of: device, in: tx)
        let request = CustomActivationRequest(
          identity: identity, attributes: attributes, application: release.application)
        return try grant(device, agreement, request, release: release, in: tx)
      }
    }
  }

  private func join(
    _ device: NewDevice, _ agreement: KeyAgreement, codeDigest: String, release: PowerAuthApplicationStore.Release,
    in tx: any SQLTransaction
  ) throws -> ActivationCreation {
    guard let row = try ActivationStore(tx).find(codeDigest: codeDigest), row.application == release.application.id,
      row.state(at: world.now()) == .created
    else { throw Problem.activationInvalid }
    if let refusal = try refusal(of: device.otp, for: row, check: .onKeyExchange, by: .device, in: tx) {
      return .refused(refusal)
    }
    // The OTP that was delivered to the user and typed is the confirmation.
    let commits = row.commitsItself || row.otp?.check == .onKeyExchange
    return .created(try enter(device, agreement, into: row, commits: commits, release: release, in: tx))
  }

  private func grant(
    _ device: NewDevice, _ agreement: KeyAgreement, _ request: CustomActivationRequest,
    release: PowerAuthApplicationStore.Release, in tx: any SQLTransaction
  ) throws -> ActivationCreation {
    for provider in providers {
      switch try provider.authorize(request, tx) {
      case .notMine: continue
      case .refused(let left): return .refused(ActivationRefusal(remainingAttempts: left))
      case .granted(let grant):
        guard Self.isUser(grant.user) else { throw Problem.activationInvalid }
        let row = try insert(
          newRow(
            release.application, user: grant.user, flags: try Self.checked(grant.flags),
            commitsItself: grant.commitsItself),
          ActivationDetails(user: grant.user, device: .init(), externalID: grant.externalID), by: .device, in: tx)
        let created = try enter(
          device, agreement, into: row, commits: grant.commitsItself, release: release, attributes: grant.attributes,
          in: tx)
        try provider.created(created.activation, request, tx)
        return .created(created)
      }
    }
    throw Problem.activationInvalid
  }

  /// Writes the device and the agreed keys, and moves the activation on.
  func enter(
    _ device: NewDevice, _ agreement: KeyAgreement, into row: ActivationRow, commits: Bool,
    release: PowerAuthApplicationStore.Release, attributes: [String: JSONValue]? = nil, in tx: any SQLTransaction
  ) throws -> CreatedActivation {
    var details = try details(of: row, in: tx)
    details.device = device.details
    details.externalID = details.externalID ?? device.externalID
    var joined = row
    joined.codeDigest = nil
    if joined.otp?.check == .onKeyExchange { joined.otp = nil }
    joined.failedAttempts = 0
    joined.applicationVersion = release.version.id
    joined.protocolVersion = device.version
    joined.sealedDetails = try details.sealed(for: row, by: vault, in: tx)
    try agreement.enter(&joined, by: vault)
    let moved = try move(
      joined, on: commits ? .keysExchangedAndCommitted : .keysExchanged, by: .device,
      facts: ["version": device.version.rawValue, "application": release.version.id.rawValue], in: tx)
    let recovery =
      release.application.issuesRecoveryCodes
      ? try issueRecovery(
        user: details.user, application: release.application, activation: moved.id, puks: 1,
        state: commits ? .active : .created, in: tx) : nil
    return CreatedActivation(
      activation: try activation(moved, in: tx), serverPublicKey: agreement.serverPublicKey,
      counterData: agreement.counter,
      recovery: recovery.flatMap { issued in issued.puks.first.map { IssuedRecovery(code: issued.code, puk: $0) } },
      customAttributes: attributes)
  }

  private func release(
    of device: NewDevice, in tx: any SQLTransaction
  ) throws -> PowerAuthApplicationStore.Release {
    guard let release = try PowerAuthApplicationStore(tx).release(device.applicationKey), release.version.isSupported
    else { throw Problem.activationInvalid }
    return release
  }
}
