// SPDX-License-Identifier: Apache-2.0

/// The port to what searches the lists: our matcher, or a company's service.
package struct ScreeningProvider: Sendable {
  private let search: @Sendable (Screening.Subject) async throws -> Screening.Outcome

  package init(screen: @escaping @Sendable (Screening.Subject) async throws -> Screening.Outcome) { search = screen }

  /// Asks; an error of the provider is the outcome `failed`, so that it is not mistaken for a clean one.
  package func screen(_ subject: Screening.Subject) async -> Screening.Outcome {
    do { return try await search(subject) } catch { return .failed(reason: "the provider failed: \(type(of: error))") }
  }

  /// Searches the lists of a source; when they cannot be searched, the outcome is `failed`.
  package static func lists(_ source: ScreeningSource) -> ScreeningProvider {
    ScreeningProvider { try await source.screen($0) }
  }

  /// Searches the lists in the store and the list files of the operator's folder, which are read again when they change.
  /// - Parameters:
  ///   - folder: nil for lists in the store only.
  ///   - required: codes without which no search counts.
  ///   - policy: thresholds and weights.
  package static func lists(
    folder: String?, stored: ScreeningLists? = nil, countries: CountryNames, required: Set<String> = [],
    policy: MatchingPolicy = .standard
  ) -> ScreeningProvider {
    .lists(
      ScreeningSource(folder: folder, stored: stored, countries: countries, required: required, policy: policy))
  }

  /// Searches lists that are in memory; for the demo and for tests.
  package static func lists(
    _ lists: [WatchList], countries: CountryNames, policy: MatchingPolicy = .standard
  ) -> ScreeningProvider {
    .lists(ScreeningSource(lists, countries: countries, policy: policy))
  }
}
