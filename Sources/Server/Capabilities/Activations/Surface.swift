// Signatures first; bodies follow.
import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  package func initiate(_ wish: InitiateActivation, by actor: ActivationActor) async throws -> InitiatedActivation {
    throw Problem.unavailable
  }
  /// - Throws: `Problem.activationInvalid`.
  package func create(_ device: NewDevice, _ identity: ActivationIdentity) async throws -> ActivationCreation {
    throw Problem.unavailable
  }
  package func commit(_ id: Activation.ID, otp: String? = nil, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func block(_ id: Activation.ID, reason: String? = nil, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func unblock(_ id: Activation.ID, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func remove(
    _ id: Activation.ID, revokingRecovery: Bool = false, by actor: ActivationActor
  ) async throws -> Activation { throw Problem.unavailable }
  package func remove(
    _ id: Activation.ID, revokingRecovery: Bool = false, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation { throw Problem.unavailable }
  package func rename(_ id: Activation.ID, to name: String, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func find(_ id: Activation.ID) async throws -> Activation { throw Problem.unavailable }
  /// Nil when there is none.
  package func find(_ id: Activation.ID, in tx: any SQLTransaction) throws -> Activation? { nil }
  package func list(
    user: String, application: PowerAuthApplication.ID? = nil, tenant: String, limit: Int = 100
  ) async throws -> [Activation] { throw Problem.unavailable }
  package func history(_ id: Activation.ID, limit: Int = 500) async throws -> [AuditLine] { throw Problem.unavailable }
  package func addFlags(_ flags: [String], to id: Activation.ID, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func removeFlags(
    _ flags: [String], from id: Activation.ID, by actor: ActivationActor
  ) async throws -> Activation { throw Problem.unavailable }
  package func setFlags(_ flags: [String], of id: Activation.ID, by actor: ActivationActor) async throws -> Activation {
    throw Problem.unavailable
  }
  package func setFlags(
    _ flags: [String], of id: Activation.ID, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation { throw Problem.unavailable }
  /// - Throws: `Problem.activationInvalid` when the challenge has not 16 bytes.
  package func status(_ id: ActivationIdentifier, challenge: Data) async throws -> StatusAnswer {
    throw Problem.unavailable
  }

  package func verify(
    _ header: SignatureHeader, method: String, uriID: String, body: Data, allowed: Set<SignatureType>
  ) async throws -> SignatureOutcome { throw Problem.unavailable }
  package func verify(_ header: TokenHeader, allowed: Set<SignatureType>) async throws -> TokenOutcome {
    throw Problem.unavailable
  }

  /// - Throws: `Problem.encryptionFailed` whatever is wrong with it.
  package func decrypt(
    _ request: ECIESRequest, _ identifier: EncryptorIdentifier, version: ProtocolVersion,
    applicationKey: ApplicationKey, activation: ActivationIdentifier? = nil
  ) async throws -> Decrypted { throw Problem.unavailable }
  /// - Throws: `Problem.temporaryKeyFailure`.
  package func temporaryKey(jwt: String) async throws -> String { throw Problem.unavailable }

  package func createToken(for activation: Activation, type: SignatureType) async throws -> CreatedToken {
    throw Problem.unavailable
  }
  /// No error when there is none.
  package func removeToken(_ id: TokenIdentifier, of activation: Activation) async throws {
    throw Problem.unavailable
  }
  /// `encryptedVaultEncryptionKey`, 32 bytes.
  package func vaultKey(of activation: Activation, reason: VaultUnlockReason) async throws -> Data {
    throw Problem.unavailable
  }
  package func userInfo(of activation: Activation) async throws -> [String: JSONValue] { throw Problem.unavailable }
  /// - Returns: whether it was confirmed before.
  /// - Throws: `Problem.recoveryInvalid`.
  package func confirmRecovery(_ code: RecoveryCode, of activation: Activation) async throws -> Bool {
    throw Problem.unavailable
  }

  // Offline signatures, for the back-end API.
  package func offlinePayload(_ data: String, for id: Activation.ID) async throws -> OfflinePayload {
    throw Problem.unavailable
  }
  package func offlinePayload(_ data: String, for application: PowerAuthApplication.ID) async throws -> OfflinePayload {
    throw Problem.unavailable
  }
  package func verifyOffline(
    _ signature: OfflineSignature, of id: Activation.ID
  ) async throws -> SignatureOutcome { throw Problem.unavailable }
  /// Whether a device's private key made it (DER, ECDSA with SHA-256).
  package func verifyDeviceSignature(
    _ signature: Data, over data: Data, of id: Activation.ID
  ) async throws -> Bool { throw Problem.unavailable }
}
