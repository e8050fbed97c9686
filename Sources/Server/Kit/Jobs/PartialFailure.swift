// SPDX-License-Identifier: Apache-2.0

import Logging

/// What a job could not do while it did the rest: each part is told to the log by itself, so that an operator reads
/// what waits for them by name.
package struct PartialFailure: Error {
  /// Parts that are told; the others are counted with them.
  package static let toldMax = 50

  package struct Part: Sendable {
    /// What it is, in keys and shapes of the log's vocabulary.
    package let metadata: Logger.Metadata
    /// One word, as a metric's label.
    package let error: String

    /// - Parameters:
    ///   - names: what failed, beside the error.
    ///   - reason: what the log is told of the error, in one word.
    package init(_ names: [String: String], reason: String) {
      metadata = names.merging(["error": reason]) { $1 }.mapValues { "\($0)" }
      error = reason
    }

    package init(_ names: [String: String], error: any Error) {
      let told = Logger.Metadata.error(error)
      metadata = names.mapValues { "\($0)" }.merging(told) { $1 }
      self.error = told["error"].map { "\($0)" } ?? "unknown"
    }
  }

  package let parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }
}
