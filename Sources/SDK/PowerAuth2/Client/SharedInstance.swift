// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
internal import PowerAuthCore
internal import Locks

/// What the SDK objects of one instance over the same store have in common in a process: one counter, one queue of
/// signed requests, one set of tokens. It goes with the last of them.
final class SharedInstance: Sendable {
  let session: Session
  let tokens: TokenRepository
  let queue = SerialQueue()
  private let heard = Guarded(Heard())
  private let external = Guarded<UnlockKey?>(nil)

  /// What the server said last. In memory only.
  struct Heard: Sendable {
    var status: PowerAuthActivationStatus?
    var userInfo: PowerAuthUserInfo?
  }

  private struct Name: Hashable {
    let instanceId: String
    let place: String
  }

  private struct Reference {
    weak var instance: SharedInstance?
  }

  /// Of the whole process: two sessions over one record would overwrite each other's counters.
  private static let known = Guarded<[Name: Reference]>([:])

  /// The instance of this identifier over this store: the one that is there, or a new one.
  static func of(
    _ instanceId: String, in store: any DirectSecureStore, _ randomness: ClientRandomness
  ) -> SharedInstance {
    let name = Name(instanceId: instanceId, place: store.place)
    return known.withLock { known in
      if let instance = known[name]?.instance { return instance }
      let instance = SharedInstance(instanceId, store, randomness)
      known = known.filter { $0.value.instance != nil }
      known[name] = Reference(instance: instance)
      return instance
    }
  }

  private init(_ instanceId: String, _ store: any DirectSecureStore, _ randomness: ClientRandomness) {
    session = Session(ActivationStorage(instanceId: instanceId, store: store, randomness: randomness))
    tokens = TokenRepository(instanceId: instanceId, store: store)
  }

  var lastHeard: Heard { heard.withLock { $0 } }

  func hear(_ edit: @Sendable (inout Heard) -> Void) { heard.withLock { edit(&$0) } }

  /// An external encryption key that was handed in after the start.
  var givenExternalKey: UnlockKey? {
    get { external.withLock { $0 } }
    set { external.withLock { $0 = newValue } }
  }
}
