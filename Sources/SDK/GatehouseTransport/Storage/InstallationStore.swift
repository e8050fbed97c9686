// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import Locks

/// Secrets that outlive the app, as one installation of it sees them: what an earlier one left is gone before anything
/// is read or written.
package struct InstallationStore: DirectSecureStore {
  /// The places that were claimed since the process began.
  package final class Claims: Sendable {
    package static let ofProcess = Claims()
    fileprivate let places = Guarded<Set<String>>([])

    package init() {}
  }

  private let secrets: any PersistentSecureStore
  /// Nil when the secrets are not one installation's: they are never wiped then.
  private let installation: AppInstallation?
  private let claims: Claims

  package init(_ secrets: any PersistentSecureStore, of installation: AppInstallation?, claims: Claims = .ofProcess) {
    (self.secrets, self.installation, self.claims) = (secrets, installation, claims)
  }

  package var place: String { secrets.place }

  package func read(_ name: String) throws(SecureStoreError) -> Data? {
    try claim()
    return try secrets.read(name)
  }

  package func write(_ secret: Data, as name: String) throws(SecureStoreError) {
    try claim()
    try secrets.write(secret, as: name)
  }

  package func remove(_ name: String) throws(SecureStoreError) {
    try claim()
    try secrets.remove(name)
  }

  /// Tried again at the next use when it fails: the device may be locked still.
  package func claim() throws(SecureStoreError) {
    guard let installation else { return }
    let outcome: Result<Void, SecureStoreError> = claims.places.withLock { [secrets] places in
      guard !places.contains(secrets.place) else { return .success(()) }
      do throws(SecureStoreError) { try installation.claim(secrets) } catch { return .failure(error) }
      places.insert(secrets.place)
      return .success(())
    }
    try outcome.get()
  }
}
