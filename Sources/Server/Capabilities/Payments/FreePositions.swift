// SPDX-License-Identifier: Apache-2.0

/// Places of lines by what they are looked for by. Many payments can have one reference, and their places are not
/// looked through again for each of them: those that were found to be taken are passed over from then on.
struct FreePositions<Key: Hashable & Sendable>: Sendable {
  private var places: [Key: [Int]] = [:]
  /// How many of the places of a key, from its first one, are known to be taken.
  private var taken: [Key: Int] = [:]

  /// - Parameter place: above those that were added before.
  mutating func add(_ place: Int, for key: Key) { places[key, default: []].append(place) }

  /// The first place of a key that is free.
  /// - Parameter isFree: by places. One that was taken is never free again.
  mutating func first<Flags: RandomAccessCollection>(for key: Key, in isFree: Flags) -> Int?
  where Flags.Element == Bool, Flags.Index == Int {
    guard let all = places[key] else { return nil }
    let known = taken[key] ?? 0
    var next = known
    while next < all.count, !isFree[all[next]] { next += 1 }
    if next > known { taken[key] = next }
    return next < all.count ? all[next] : nil
  }
}
