import Foundation
import GatehouseWire
import Kit
import Storage

/// Remembers the answers to a bank's writes that carry an `Idempotency-Key`: key, effect and answer commit together.
struct ProviderMemory: Sendable {
  /// One write and the key under which it may be sent again.
  struct Write: Sendable {
    /// Method and path.
    let path: String
    let client: String
    let body: Data
    let key: String?
  }

  let parts: SaltEdgeParts
  let idempotency: Idempotency

  /// - Throws: `Problem` missing-header for a key that is no UUID; idempotency-conflict; step-in-progress.
  func answer(
    _ write: Write, status: Int, _ work: @escaping @Sendable (any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> (answer: StoredAnswer, isReplay: Bool) {
    do {
      guard let key = write.key else {
        return (try await parts.writing { try Self.answer(status, try work($0)) }, false)
      }
      return try await answer(write, key: key, status: status, work)
    } catch SQLError.notUnique {
      // Two at once: the other one has it.
      throw Self.running
    }
  }

  private func answer(
    _ write: Write, key: String, status: Int,
    _ work: @escaping @Sendable (any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> (answer: StoredAnswer, isReplay: Bool) {
    guard UUID(uuidString: key) != nil else {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    let request = Idempotency.Request(
      owner: write.client, path: write.path, key: key, body: write.body, claimant: parts.world.uuid())
    return try await parts.writing { [idempotency] tx in
      switch try idempotency.begin(request, in: tx) {
      case .replay(let answer): return (answer, true)
      case .conflict:
        throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
      case .running: throw Self.running
      case .fresh:
        let answer = try Self.answer(status, try work(tx))
        try idempotency.store(answer, for: request, in: tx)
        return (answer, false)
      }
    }
  }

  private static let running = Problem(.conflict, "step-in-progress", "This request is being worked on.")

  static func answer(_ status: Int, _ view: any Encodable & Sendable) throws -> StoredAnswer {
    StoredAnswer(status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view))
  }
}
