import SaltEdgeCore
import TestSupport

extension Randomness {
  /// The same bytes for the same seed, from any thread.
  static func seeded(_ seed: UInt64) -> Randomness {
    let bytes = SeededBytes(seed)
    return Randomness { bytes.next($0) }
  }
}
