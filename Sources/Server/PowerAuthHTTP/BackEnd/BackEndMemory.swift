import Foundation
import GatehouseWire
import Kit
import Storage

/// One write of another server: what it sent and the key under which it may be sent again.
struct BackEndWrite: Sendable {
  /// Method and path.
  let path: String
  let client: String
  let body: Data
  let key: String?
}

/// An answer on its way out.
struct BackEndAnswer: Sendable {
  let answer: StoredAnswer
  var isReplay = false
}

/// Remembers the answers to writes that carry an `Idempotency-Key`.
///
/// The key is claimed before the work and answered after it. Who is killed in between leaves a claim that lapses in a
/// minute; what is sent again then meets the state that the first one left, and the life of an activation takes each
/// step once.
struct BackEndMemory: Sendable {
  let database: any SQLDatabase
  let idempotency: Idempotency
  let world: World

  /// - Throws: `Problem` missing-header for a key that is no UUID; idempotency-conflict; step-in-progress.
  func answer(
    to write: BackEndWrite, status: Int = 200, _ work: @Sendable () async throws -> any Encodable & Sendable
  ) async throws -> BackEndAnswer {
    guard let key = write.key else { return BackEndAnswer(answer: try Self.answer(status, try await work())) }
    guard UUID(uuidString: key) != nil else {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    let request = Idempotency.Request(
      owner: write.client, path: write.path, key: key, body: write.body, claimant: world.uuid())
    switch try await begin(request) {
    case .replay(let answer): return BackEndAnswer(answer: answer, isReplay: true)
    case .conflict:
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
    case .running: throw Problem(.conflict, "step-in-progress", "This request is being worked on.")
    case .fresh: break
    }
    do {
      let answer = try Self.answer(status, try await work())
      try await database.write { [idempotency] in try idempotency.store(answer, for: request, in: $0) }
      return BackEndAnswer(answer: answer)
    } catch {
      // Nothing happened: the same key may try again at once. A claim that stays lapses by itself.
      try? await database.write { [idempotency] in try idempotency.release(request, in: $0) }
      throw error
    }
  }

  private func begin(_ request: Idempotency.Request) async throws -> Idempotency.Outcome {
    do {
      return try await database.write { [idempotency] in try idempotency.begin(request, in: $0) }
    } catch SQLError.notUnique {
      // Somebody claimed the key at the same moment: now their claim is there to be seen.
      return try await database.write { [idempotency] in try idempotency.begin(request, in: $0) }
    }
  }

  static func answer(_ status: Int, _ view: any Encodable & Sendable) throws -> StoredAnswer {
    StoredAnswer(
      status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view))
  }
}
