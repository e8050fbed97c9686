// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
public import Foundation

/// What an app may choose beyond the SDK key. Everything has a default.
public struct FinapticOptions: Sendable {
  /// Where the tokens are kept: nil for the Keychain on Apple's platforms, and a sealed file that only its owner can
  /// read elsewhere. `MemorySecureStore()` forgets them with the process.
  public var store: (any DirectSecureStore)?
  /// The queue on which the app is called back.
  public var queue: DispatchQueue
  /// Performs each request; nil for the device's, with the SDK key's pins.
  public var transport: HTTPTransport?
  /// The clock.
  public var clock: ClientClock
  /// The source of randomness.
  public var randomness: ClientRandomness
  /// Who gets this instance's log entries; nil for `FinapticLog.handler`.
  public var log: FinapticLog.Handler?
  /// The zone whose days are meant by dates of birth and the like, asked at every call.
  public var timeZone: @Sendable () -> TimeZone

  /// Creates the options.
  public init(
    store: (any DirectSecureStore)? = nil, queue: DispatchQueue = .main, transport: HTTPTransport? = nil,
    clock: ClientClock = .live, randomness: ClientRandomness = .live,
    log: FinapticLog.Handler? = nil, timeZone: @escaping @Sendable () -> TimeZone = { .current }
  ) {
    (self.store, self.queue, self.transport) = (store, queue, transport)
    (self.clock, self.randomness, self.log, self.timeZone) = (clock, randomness, log, timeZone)
  }

  func store(for key: FinapticSDKKey) -> any DirectSecureStore {
    if let store { return store }
    let instance = "\(key.environment.rawValue).\(key.tenantID).\(key.clientKey)"
    #if canImport(Security)
      return KeychainStore(service: "finaptic.\(instance)")
    #else
      return SealedFileStore.ofApplication("finaptic", instance: instance)
    #endif
  }

  func transport(for key: FinapticSDKKey) -> HTTPTransport {
    transport ?? .live(trusting: key.pins.isEmpty ? .system : .pinnedKeys(key.pins), clock: clock)
  }
}
