// SPDX-License-Identifier: Apache-2.0

import Kit

/// Where searches find the lists as they are now, and the policy by which they compare. The flows, the API of back ends
/// and all others that search share one, so that the lists are arranged once.
package struct ScreeningSource: Sendable {
  /// Thresholds and weights of every search.
  package let policy: MatchingPolicy
  /// Files of the operator's folder in whose place former versions are searched.
  package var formerFiles: @Sendable () async -> [String] = { [] }
  private let current: @Sendable (_ waits: Bool) async throws -> ScreeningIndex

  /// - Parameter current: the lists as they are now, arranged; throws when they cannot be searched.
  package init(policy: MatchingPolicy, current: @escaping @Sendable () async throws -> ScreeningIndex) {
    self.init(policy: policy) { _ in try await current() }
  }

  /// - Parameter current: the same. Told to wait, it gives the lists as they are now; otherwise it may give them as
  ///   they were a moment ago, so that no search waits while changed ones are arranged.
  package init(
    policy: MatchingPolicy, _ current: @escaping @Sendable (_ waits: Bool) async throws -> ScreeningIndex
  ) {
    self.policy = policy
    self.current = current
  }

  /// The lists in the store and the list files of the operator's folder, which are read again when they change.
  /// - Parameters:
  ///   - folder: nil for lists in the store only.
  ///   - required: codes without which no search counts.
  ///   - world: as the index takes it.
  ///   - hides: told of files in the folder that are not searched, since the store has lists with their codes.
  ///   - broken: told of a file in the folder that cannot be read, in whose place a former version is searched.
  ///   - warns: told of a file in the folder that is searched and lacks something.
  package init(
    folder: String?, stored: ScreeningLists? = nil, countries: CountryNames, required: Set<String> = [],
    policy: MatchingPolicy = .standard, world: World? = nil,
    hides: @escaping @Sendable (_ files: [String]) -> Void = { _ in },
    broken: @escaping @Sendable (_ file: String) -> Void = { _ in },
    warns: @escaping @Sendable (_ file: String) -> Void = { _ in }
  ) {
    let folder = ScreeningFolder(
      path: folder, stored: stored, countries: countries, required: required, world: world, hides: hides,
      broken: broken, warns: warns)
    self.init(policy: policy) { waits in try await waits ? folder.arranged() : folder.index() }
    formerFiles = { await folder.formerFiles }
  }

  /// Lists that are in memory; for the demo and for tests.
  package init(_ lists: [WatchList], countries: CountryNames, policy: MatchingPolicy = .standard) {
    let index = ScreeningIndex(lists, countries: countries)
    self.init(policy: policy) { index }
  }

  /// The lists that are searched, one at least.
  /// - Throws: when they cannot be searched. That is never to be read as a search that found nothing.
  package func index() async throws -> ScreeningIndex { try await index(waits: false) }

  /// The same, and never lists as they were a moment ago: it waits until changed ones are arranged.
  package func arranged() async throws -> ScreeningIndex { try await index(waits: true) }

  private func index(waits: Bool) async throws -> ScreeningIndex {
    let index = try await current(waits)
    guard !index.versions.isEmpty else { throw ScreeningFolder.Fault(reason: "there is no list to search") }
    return index
  }

  /// Searches for a subject, and says by which rules.
  func screen(_ subject: Screening.Subject) async throws -> Screening.Outcome {
    do {
      return try await index().outcome(for: subject, policy: policy)
    } catch let fault as ScreeningFolder.Fault { return .failed(reason: fault.reason) }
  }
}
