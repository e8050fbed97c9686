// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import SaltEdgeCore

/// The lock as it is kept: sealed with everything else, so that a lowered count is noticed.
struct LockRecord: Codable, Sendable {
  /// Nothing can be tried for so long from then on.
  struct Block: Codable, Sendable {
    let milliseconds: Int64
    /// By the clock that the device's owner sets.
    var since: WireInstant
    /// Which start of the device it began in, and how far into it; nil where the system does not tell.
    var bootID: String?
    var bootMilliseconds: Int64?

    init(milliseconds: Int64, since: WireInstant, boot: BootTime?) {
      (self.milliseconds, self.since) = (milliseconds, since)
      (bootID, bootMilliseconds) = (boot?.id, boot?.sinceStart.milliseconds)
    }

    /// How much of it has passed for certain: within the same start of the device by its running time. After another
    /// start, as long as the device has run since: how long it was off is unknown without the calendar.
    /// - Returns: nil when only the calendar knows.
    func passed(by boot: BootTime?) -> Int64? {
      guard let boot, let bootID, let bootMilliseconds else { return nil }
      let running = boot.sinceStart.milliseconds
      return bootID == boot.id ? max(running - bootMilliseconds, 0) : running
    }
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
