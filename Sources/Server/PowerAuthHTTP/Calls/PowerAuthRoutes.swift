// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import PowerAuthCore

/// PowerAuth's own calls, `/pa/v3/…` (powerauth.md §8).
package struct PowerAuthRoutes: Sendable {
  private let activations: Activations
  private let world: World
  private let limits: PowerAuthLimits
  private let server: ServerStatus.Application
  private let policy: Policy

  /// What an institution may decide.
  package struct Policy: Sendable {
    /// Whether a biometric factor unlocks the vault as the knowledge factor does.
    package var unlocksVaultByBiometry = false

    package init() {}
  }

  /// - Parameter server: what `/pa/v3/status` says of this program.
  package init(
    activations: Activations, world: World, limits: PowerAuthLimits, server: ServerStatus.Application,
    policy: Policy = Policy()
  ) {
    self.activations = activations
    self.world = world
    self.limits = limits
    self.server = server
    self.policy = policy
  }

  /// The types that PowerAuth's own clients make (§8).
  static let madeByClients: Set<SignatureType> = [
    .possession, .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
  ]
  private static let twoFactors: Set<SignatureType> = [
    .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
  ]

  /// - Parameter group: below the base URL that devices are configured with.
  package func add(to group: RouterGroup<PublicContext>) {
    let routes = DeviceRoutes(group, activations: activations, world: world, dialect: DeviceDialect())
    addActivation(to: routes)
    addCredentials(to: routes)
    routes.on(
      Self.validationMethods, path(.validateSignature), .signed(.validateSignature, by: Self.madeByClients),
      admit: { [limits] in try limits.spend(address: $0.clientAddress) }
    ) { _ in DeviceRoutes.ok }
    let (activations, world, server, limits) = (activations, world, server, limits)
    routes.on(
      [.post], path(.serverStatus), .nothing, admit: { try limits.spend(address: $0.clientAddress) }
    ) { call in
      // Released apps send an empty object, or nothing that has to be read.
      let asked = try? call.requestObject(as: ServerStatusRequest.self)
      let key = asked?.applicationKey.flatMap { try? ApplicationKey(text: $0) }
      var versions: [ProtocolVersion]?
      if let key { versions = try await activations.applications.protocolVersions(of: key) }
      return try WireJSON.encode(
        ResponseEnvelope(
          ServerStatus(
            serverTime: UInt64(max(0, world.wall().milliseconds)), application: server,
            protocolVersions: versions?.map(\.rawValue))))
    }
  }

  private func addActivation(to routes: DeviceRoutes) {
    let calls = ActivationCalls(activations: activations, limits: limits)
    let limits = limits
    routes.on(
      [.post], path(.createActivation), .encryptedByApplication(),
      admit: { try await limits.spendCreation(address: $0.clientAddress) }, handle: calls.create)
    routes.on(
      [.post], path(.activationStatus), .nothing, admit: { try limits.spend(address: $0.clientAddress) },
      handle: calls.status)
    // The reference asks for no particular type here, because possession of the device is enough to remove it.
    routes.post(
      path(.removeActivation), .signed(.removeActivation, by: Set(SignatureType.allCases)),
      admit: { try limits.spend(address: $0.clientAddress) }, handle: calls.remove)
    routes.post(
      path(.activationDetail),
      .token(by: [.possessionKnowledge, .possessionBiometry], encrypted: .genericActivation), handle: calls.detail)
    routes.post(
      path(.renameActivation),
      .signed(PowerAuthEndpoint.renameActivation.signedURIID, by: Self.twoFactors, thenEncrypted: .genericActivation),
      handle: calls.rename)
    routes.on([.post], path(.userInfo), .encryptedByActivation(), handle: calls.userInfo)
    // A recovered device has no flags of its own, so that a user who is not verified yet gets no code into use.
    routes.on(
      [.post], path(.confirmRecovery),
      .encrypted(.confirmRecovery, thenSignedBy: [.possessionKnowledge]).refusing(flags: Activation.unverifiedFlags),
      handle: calls.confirmRecovery)
  }

  private func addCredentials(to routes: DeviceRoutes) {
    let calls = CredentialCalls(activations: activations, limits: limits)
    let limits = limits
    routes.on(
      [.post], path(.createToken),
      .encrypted(.createToken, thenSignedBy: Self.madeByClients), handle: calls.createToken)
    routes.post(path(.removeToken), .signed(.removeToken, by: Self.madeByClients), handle: calls.removeToken)
    routes.on(
      [.post], path(.unlockVault),
      .encrypted(
        .unlockVault, thenSignedBy: policy.unlocksVaultByBiometry ? Self.twoFactors : [.possessionKnowledge]),
      handle: calls.unlockVault)
    routes.post(
      path(.createTemporaryKey), .nothing, admit: { try limits.spend(address: $0.clientAddress) },
      handle: calls.createTemporaryKey)
  }

  private func path(_ endpoint: PowerAuthEndpoint) -> String { String(endpoint.rawValue.dropFirst()) }

  private static let validationMethods: [HTTPRequest.Method] = [.get, .post, .put, .delete]
}

extension PowerAuthEndpoint {
  /// - Precondition: the call is signed.
  fileprivate var signedURIID: String {
    guard let uriID else { preconditionFailure("\(rawValue) is not signed") }
    return uriID
  }
}

extension ProofRequirement where Proof == FactorProof {
  fileprivate static func signed(_ endpoint: PowerAuthEndpoint, by factors: Set<SignatureType>) -> ProofRequirement {
    signed(endpoint.signedURIID, by: factors)
  }

  /// - Precondition: the call is encrypted and signed.
  fileprivate static func encrypted(
    _ endpoint: PowerAuthEndpoint, thenSignedBy factors: Set<SignatureType>
  ) -> ProofRequirement {
    guard let encryptor = endpoint.encryptor else { preconditionFailure("\(endpoint.rawValue) is not encrypted") }
    return encrypted(encryptor, thenSigned: endpoint.signedURIID, by: factors)
  }
}
