import Kit
import PowerAuthCore
import Storage

/// The apps that can be activated, and what they are built with.
package struct PowerAuthApplications: Sendable {
  let database: any SQLDatabase
  let vault: Vault
  let audit: Audit
  let world: World

  package func add(
    _ name: String, tenant: String, issuesRecoveryCodes: Bool = false, by actor: ActivationActor
  ) async throws -> ReleasedApplicationVersion { throw Problem.unavailable }
  package func list(tenant: String?) async throws -> [PowerAuthApplication] { throw Problem.unavailable }
  package func find(_ id: PowerAuthApplication.ID) async throws -> PowerAuthApplication { throw Problem.unavailable }
  package func versions(of id: PowerAuthApplication.ID) async throws -> [PowerAuthApplicationVersion] {
    throw Problem.unavailable
  }
  package func addVersion(
    _ name: String, to id: PowerAuthApplication.ID, by actor: ActivationActor
  ) async throws -> ReleasedApplicationVersion { throw Problem.unavailable }
  package func setSupported(
    _ isSupported: Bool, version: PowerAuthApplicationVersion.ID, by actor: ActivationActor
  ) async throws -> PowerAuthApplicationVersion { throw Problem.unavailable }
  package func configuration(
    of version: PowerAuthApplicationVersion.ID
  ) async throws -> ReleasedApplicationVersion { throw Problem.unavailable }
  /// - Returns: the new key's generation.
  package func rotateMasterKey(of id: PowerAuthApplication.ID, by actor: ActivationActor) async throws -> Int {
    throw Problem.unavailable
  }
}
