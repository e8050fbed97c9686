#if canImport(os)
  import os
#else
  import Synchronization
#endif

/// A value behind a lock, for the few callbacks that cannot be an actor's. `Mutex` where it exists; Apple's systems
/// before version 18 have only the older lock.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  #if canImport(os)
    private let lock: OSAllocatedUnfairLock<Value>

    init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result { lock.withLock(body) }
  #else
    private let lock: Mutex<Value>

    init(_ value: Value) { lock = Mutex(value) }

    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
      lock.withLock { body(&$0) }
    }
  #endif
}
