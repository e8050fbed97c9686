// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which requests of a node are worked on, and in which order those that wait are let in: a multilevel feedback queue.
///
/// Requests of networks that asked little lately go first. Those of networks that asked much have few places when many
/// such networks ask, so that a request of another one finds a processor that is free.
struct TurnQueue: Sendable {
  struct Limits: Sendable {
    /// Requests that are worked on at once.
    var places: Int
    /// Of these, the fewest for requests of networks that asked much, however many such networks there are.
    var placesOfBusyMin: Int
    /// A request that is not answered after this time waits for something else, such as its client or a decoder, and
    /// has its place no more.
    var lease = Duration.milliseconds(20)
    /// In which a network's count of requests halves.
    var halfLife = Duration.seconds(30)
    /// Networks whose requests are counted.
    var networksMax = 16_384

    init(processors: Int) { (places, placesOfBusyMin) = (16 * processors, max(1, processors / 2)) }
  }

  /// Networks that did not ask lately have the first level, and those with counts from 1, 3, 7 and 15 the others.
  static let levels = 5
  /// From this level on a network asked much.
  static let busyLevel = 3
  /// So many in a row pass one of a network that asked much, so that those who ask little keep no others out for good.
  static let passesMax = 7

  private struct Request {
    let network: String
    let level: Int
    /// When it has its place no more; nil while it waits.
    var until: Duration?
  }

  private struct Count {
    var value: Double
    var at: Duration
  }

  private let limits: Limits
  private var counts: [String: Count] = [:]
  private var requests: [Int: Request] = [:]
  /// By level, in the order in which they came.
  private var waiters = [[Int]](repeating: [], count: levels)
  /// Those that have a place, in the order in which they were let in.
  private var placed: [Int] = []
  private var placedBusy = 0
  /// How many requests of each network that asked much wait or have a place.
  private var busy: [String: Int] = [:]
  /// How many passed those of networks that asked much, since one of these had its turn.
  private var passes = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Requests that wait.
  var waiting: Int { waiters.reduce(0) { $0 + $1.count } }

  // MARK: What happens

  /// - Parameters:
  ///   - id: what the request is known by, once.
  ///   - now: a time that does not go back, as all of these.
  /// - Returns: those whose turn it is; without this one it waits.
  mutating func arrive(_ id: Int, of network: String, at now: Duration) -> [Int] {
    let level = Self.level(of: count(network, at: now))
    requests[id] = Request(network: network, level: level)
    waiters[level].append(id)
    if level >= Self.busyLevel { busy[network, default: 0] += 1 }
    return next(at: now)
  }

  /// The request was answered, or its client is gone.
  /// - Returns: those whose turn it is.
  mutating func end(_ id: Int, at now: Duration) -> [Int] {
    if let request = requests[id], request.until == nil { waiters[request.level].removeAll { $0 == id } }
    forget(id)
    return next(at: now)
  }

  /// - Returns: those whose turn it is, because the time of others is over.
  mutating func next(at now: Duration) -> [Int] {
    while let first = placed.first, let until = requests[first]?.until, until <= now { forget(first) }
    var next: [Int] = []
    while let id = take() {
      requests[id]?.until = now + limits.lease
      placed.append(id)
      next.append(id)
    }
    return next
  }

  // MARK: Places

  /// The next that has a place.
  private mutating func take() -> Int? {
    guard placed.count < limits.places else { return nil }
    let (light, heavy) = (Array(0..<Self.busyLevel), Array(Self.busyLevel..<Self.levels))
    let isBusyWaiting = heavy.contains { !waiters[$0].isEmpty }
    for level in passes < Self.passesMax ? light + heavy : heavy.reversed() + light {
      guard let id = waiters[level].first, hasPlace(level) else { continue }
      waiters[level].removeFirst()
      if level >= Self.busyLevel { (placedBusy, passes) = (placedBusy + 1, 0) } else if isBusyWaiting { passes += 1 }
      return id
    }
    return nil
  }

  private func hasPlace(_ level: Int) -> Bool {
    level < Self.busyLevel || placedBusy < max(limits.placesOfBusyMin, limits.places / max(1, busy.count))
  }

  private mutating func forget(_ id: Int) {
    guard let request = requests.removeValue(forKey: id) else { return }
    if request.until != nil { placed.removeAll { $0 == id } }
    guard request.level >= Self.busyLevel else { return }
    if request.until != nil { placedBusy -= 1 }
    let rest = (busy[request.network] ?? 0) - 1
    busy[request.network] = rest > 0 ? rest : nil
  }

  // MARK: Counts

  private static func level(of count: Double) -> Int { min(levels - 1, Int(log2(count + 1))) }

  /// Counts one more.
  /// - Returns: the count before.
  private mutating func count(_ network: String, at now: Duration) -> Double {
    let before = counts[network].map { decayed($0, at: now) }
    if before == nil, counts.count >= limits.networksMax { keepHalf(at: now) }
    counts[network] = Count(value: (before ?? 0) + 1, at: now)
    return before ?? 0
  }

  private func decayed(_ count: Count, at now: Duration) -> Double {
    count.value * exp2(-((now - count.at) / limits.halfLife))
  }

  /// Those that asked most.
  private mutating func keepHalf(at now: Duration) {
    let values = counts.map { ($0.key, Count(value: decayed($0.value, at: now), at: now)) }
    let most = values.sorted { ($0.1.value, $0.0) > ($1.1.value, $1.0) }.prefix(limits.networksMax / 2)
    counts = Dictionary(uniqueKeysWithValues: most.map { ($0.0, $0.1) })
  }
}
