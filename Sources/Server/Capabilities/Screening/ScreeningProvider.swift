import DocumentCore
import Foundation

/// The port to whoever searches the lists: ours, or a company's service.
package struct ScreeningProvider: Sendable {
  private let search: @Sendable (Screening.Subject) async throws -> Screening.Outcome

  package init(screen: @escaping @Sendable (Screening.Subject) async throws -> Screening.Outcome) { search = screen }

  /// Asks; an error of the provider is the outcome `failed`, so that it is not mistaken for a clean one.
  package func screen(_ subject: Screening.Subject) async -> Screening.Outcome {
    do { return try await search(subject) } catch { return .failed(reason: "the provider failed: \(type(of: error))") }
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
    let folder = ScreeningFolder(path: folder, stored: stored, countries: countries, required: required)
    return ScreeningProvider { subject in
      do {
        return try await folder.index().screen(subject, policy: policy)
      } catch let fault as ScreeningFolder.Fault {
        return .failed(reason: fault.reason)
      }
    }
  }

  /// Searches lists that are in memory; for the demo and for tests.
  package static func lists(
    _ lists: [WatchList], countries: CountryNames, policy: MatchingPolicy = .standard
  ) -> ScreeningProvider {
    let index = ScreeningIndex(lists, countries: countries)
    return ScreeningProvider { index.screen($0, policy: policy) }
  }
}
