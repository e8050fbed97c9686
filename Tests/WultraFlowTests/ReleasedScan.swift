// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import GatehouseWire
import WultraWire

/// What a released 1.x app makes of the pictures, with the documents that its user chose (wultra-onboarding.md §6, §7.4).
enum ReleasedScan: Equatable {
  case wait, failed
  /// The camera, for the document that is next; nil is where an app has nothing to show.
  case scan(next: Next?)

  struct Next: Equatable {
    let type: ReleasedClient.DocumentType
    /// The sides that the server has, with their ids.
    let sides: [ReleasedClient.Side: String]
  }

  /// - Parameter chosen: in the order of the choice.
  init(_ chosen: [ReleasedClient.DocumentType], _ documents: [ReleasedClient.Document]) {
    let isRefused = documents.contains {
      $0.status == .rejected || $0.status == .failed || $0.errors?.isEmpty == false
    }
    let next = chosen.first { type in
      let sides = documents.filter { $0.type == type }
      return sides.isEmpty || sides.contains { $0.errors?.isEmpty == false }
    }.map { type in
      Next(
        type: type,
        // The first picture of a side is the one that a new picture replaces.
        sides: Dictionary(
          documents.filter { $0.type == type }.map { ($0.side, $0.id) }, uniquingKeysWith: { first, _ in first }))
    }
    let underWay: [ReleasedClient.DocumentStatus] = [
      .uploadInProgress, .inProgress, .verificationPending, .verificationInProgress,
    ]
    if isRefused || documents.allSatisfy({ $0.status == .accepted }) {
      self = .scan(next: next)
    } else {
      self = documents.contains { underWay.contains($0.status) } ? .wait : .failed
    }
  }
}

extension Person {
  /// What a released app shows: it asks for the state, and while that is the upload for the pictures.
  /// - Parameter meanwhile: what happens between its two questions.
  /// - Returns: nil when the state is another one.
  func releasedScan(
    _ chosen: [ReleasedClient.DocumentType], meanwhile: () async throws -> Void = {}
  ) async throws -> ReleasedScan? {
    guard try await state() == "DOCUMENT_UPLOAD/IN_PROGRESS" else { return nil }
    try await meanwhile()
    let answer = try WireJSON.encode(try await documents())
    return ReleasedScan(
      chosen, try JSONDecoder().decode(ReleasedClient.Documents.self, from: answer).documents)
  }
}
