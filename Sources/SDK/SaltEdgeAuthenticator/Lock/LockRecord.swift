internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import SaltEdgeCore

/// The lock as it is kept: sealed with everything else, so that nobody can count backwards unseen.
struct LockRecord: Codable, Sendable {
  /// Nothing can be tried for so long from then on.
  struct Block: Codable, Sendable {
    let milliseconds: Int64
    /// By the clock that the device's owner sets.
    var since: WireInstant
  }

  var passcode: PasscodeDigest
  /// Since the last right one.
  var wrongPasscodes = 0
  var block: Block?
  var usesBiometrics = false
}

struct LockRecords: Sendable {
  private static let name = "saltedge.lock"

  let store: any DirectSecureStore

  /// - Returns: nil when there is no passcode yet.
  func load() throws(AuthenticatorError) -> LockRecord? {
    do throws(SecureStoreError) {
      guard let data = try store.read(Self.name) else { return nil }
      guard let record = try? WireJSON.decode(LockRecord.self, from: data) else { throw SecureStoreError(.tampered) }
      return record
    } catch { throw AuthenticatorError(error) }
  }

  /// When this returns the record is durable.
  func save(_ record: LockRecord) throws(AuthenticatorError) {
    do throws(SecureStoreError) {
      guard let data = try? WireJSON.encode(record) else { throw SecureStoreError(.unavailable) }
      try store.write(data, as: Self.name)
    } catch { throw AuthenticatorError(error) }
  }

  func forget() throws(AuthenticatorError) {
    do throws(SecureStoreError) { try store.remove(Self.name) } catch { throw AuthenticatorError(error) }
  }
}
