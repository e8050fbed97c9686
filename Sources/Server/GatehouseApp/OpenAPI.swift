// SPDX-License-Identifier: Apache-2.0

import APIDescription
import Delivery
import Foundation
import HTTP
import Hummingbird

/// Serves the description of every route as JSON.
///
/// Joining its files takes 0.7 s of a processor. It is done once, on a thread of its own that lets others go first: as
/// many callers as there are processors, waiting for it on those that answer requests, held up all others.
struct OpenAPI: Sendable {
  /// What this program serves. It is made when it is first asked for.
  static let published = OpenAPI { try APIDocument.json.get() }

  /// Shared by all answers: it is most of a megabyte, and anybody may ask for it.
  private let document: Task<ByteBuffer, any Error>

  /// Begins to make the document.
  init(_ make: @escaping @Sendable () throws -> Data) {
    document = Task {
      try await BlockingThreadPool("description", width: 1, isYielding: true).run { ByteBuffer(bytes: try make()) }
    }
  }

  /// Returns when the document is made, or could not be.
  func made() async { _ = await document.result }

  /// - Throws: what making the document threw.
  func response() async throws -> Response { Response.json(encoded: try await document.value) }
}
