import Foundation
import GatehouseWire
import HTTP
import Kit
import Storage

/// One write of another server: what it sent and the key under which it may be sent again.
struct BackEndWrite: Sendable {
  let path: String
  let client: String
  let body: Data
  let key: String?
  let correlationID: String
}

/// An answer on its way out.
struct BackEndAnswer: Sendable {
  let answer: StoredAnswer
  var isReplay = false
}

/// Keeps an answer in the transaction of the work that it answers; nothing when the write has no key.
struct BackEndRecord: Sendable {
  let keep: @Sendable (any Encodable & Sendable, any SQLTransaction) throws -> Void
}

/// Remembers the answers to writes that carry an `Idempotency-Key`.
///
/// The key is claimed before the work. Work that cannot be repeated keeps its answer in its own transaction, by
/// `BackEndRecord`; other answers are kept right after it. Who is killed in between leaves a claim that lapses in a
/// minute; what is sent again then meets the state that the first one left, and each step of an activation's life is
/// taken once.
struct BackEndMemory: Sendable {
  let database: any SQLDatabase
  let idempotency: Idempotency
  let world: World

  /// - Throws: `Problem` missing-header for a key that is no UUID; idempotency-conflict; step-in-progress.
  func answer(
    to write: BackEndWrite, status: Int = 200,
    _ work: @Sendable (BackEndRecord) async throws -> any Encodable & Sendable
  ) async throws -> BackEndAnswer {
    guard let key = write.key else {
      return BackEndAnswer(answer: try Self.answer(status, try await work(BackEndRecord { _, _ in })))
    }
    guard UUID(uuidString: key) != nil else {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    let request = Idempotency.Request(
      owner: write.client, path: "POST \(write.path)", key: key, body: write.body, claimant: world.uuid())
    switch try await begin(request) {
    case .replay(let answer): return BackEndAnswer(answer: answer, isReplay: true)
    case .conflict:
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
    case .running: throw Problem(.conflict, "step-in-progress", "This request is being worked on.")
    case .fresh: break
    }
    let answer = try await worked(write, request, status, work)
    try await database.write { [idempotency] tx in
      // Kept already, by the work itself.
      if case .replay = try idempotency.begin(request, in: tx) { return }
      try idempotency.store(answer, for: request, in: tx)
    }
    return BackEndAnswer(answer: answer)
  }

  private func worked(
    _ write: BackEndWrite, _ request: Idempotency.Request, _ status: Int,
    _ work: @Sendable (BackEndRecord) async throws -> any Encodable & Sendable
  ) async throws -> StoredAnswer {
    let record = BackEndRecord { [idempotency] view, tx in
      try idempotency.store(try Self.answer(status, view), for: request, in: tx)
    }
    do { return try Self.answer(status, try await work(record)) } catch {
      // It was counted: the refusal is what a repetition gets, instead of being counted again.
      if let problem = error as? Problem, problem.attemptsLeft != nil { return try Self.refusal(problem, write) }
      // Rolled back: the same key may try again at once. After anything else nobody knows, and the claim lapses by
      // itself.
      if error is Problem || (error as? SQLError).map({ $0 != .uncertain }) ?? false {
        try? await database.write { [idempotency] in try idempotency.release(request, in: $0) }
      }
      throw error
    }
  }

  private static func refusal(_ problem: Problem, _ write: BackEndWrite) throws -> StoredAnswer {
    let details = ProblemDocument.details(problem, instance: "\(write.path)#\(write.correlationID)")
    return StoredAnswer(
      status: problem.status.code, contentType: ProblemDetails.mediaType, body: try WireJSON.encode(details))
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
