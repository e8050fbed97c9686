import Synchronization

/// Values that were used of late, by name, for what never changes. Two generations: when the younger one is full the
/// older one is forgotten, and with it what nobody asked for since.
final class Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Generations: Sendable {
    var young: [Key: Value] = [:]
    var old: [Key: Value] = [:]
  }

  private let countMax: Int
  private let generations = Mutex(Generations())

  /// - Parameter countMax: values kept at once, at most.
  init(countMax: Int) { self.countMax = countMax }

  subscript(key: Key) -> Value? {
    get {
      generations.withLock { generations in
        if let value = generations.young[key] { return value }
        guard let value = generations.old[key] else { return nil }
        keep(value, key, in: &generations)
        return value
      }
    }
    set {
      generations.withLock { generations in
        generations.old[key] = nil
        guard let newValue else {
          generations.young[key] = nil
          return
        }
        keep(newValue, key, in: &generations)
      }
    }
  }

  private func keep(_ value: Value, _ key: Key, in generations: inout Generations) {
    if generations.young.count >= countMax / 2 {
      generations.old = generations.young
      generations.young = [:]
    }
    generations.young[key] = value
  }
}
