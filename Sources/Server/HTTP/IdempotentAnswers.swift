// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import Kit
import Storage

/// Answers writes once: a write that is sent again under its `Idempotency-Key` gets the first answer.
///
/// Work that is one transaction claims the key and keeps the answer in that transaction:
///
///     try await database.writeOnce { tx in
///       if let earlier = try answers.claim(write, in: tx) { return earlier }
///       return try answers.keep(try work(tx), for: write, in: tx)
///     }
///
/// Work of several steps claims the key in a transaction of its own. What cannot be done again keeps its answer in the
/// transaction that does it; other answers are kept right after the work. A process that dies in between leaves a claim
/// that lapses, and a repetition then meets the state that the first request left.
///
///     if let earlier = try await answers.claim(write) { return earlier }
///     let view: View
///     do { view = try await work() } catch { return try await answers.abandon(write, after: error) }
///     return try await answers.keep(view, for: write)
package struct IdempotentAnswers: Sendable {
  /// One write and the key under which it may be sent again; without a key no answer is kept.
  package struct Write: Sendable {
    package let path: String
    package let correlationID: String
    /// Nil for a write without a key.
    let request: Idempotency.Request?
  }

  /// An answer on its way out.
  package struct Answer: Sendable {
    package let stored: StoredAnswer
    package let isReplay: Bool

    package init(_ stored: StoredAnswer, isReplay: Bool = false) { (self.stored, self.isReplay) = (stored, isReplay) }
  }

  /// How long work of several steps may take.
  package struct Span: Sendable {
    /// After this a claim without an answer counts as one of a process that died, and another request may take the key.
    let claim: Duration
    /// How long a repetition waits for the answer.
    let patience: Duration

    /// - Precondition: the work ends before the claim does.
    package init(claim: Duration, patience: Duration) { (self.claim, self.patience) = (claim, patience) }

    package static let standard = Span(claim: Idempotency.claimLifetime, patience: .seconds(20))
  }

  private let database: any SQLDatabase
  private let idempotency: Idempotency
  private let world: World
  private let patience: AnswerPoller
  private let refusal: @Sendable (Problem, Write) throws -> StoredAnswer

  /// - Parameters:
  ///   - patience: with work of several steps; without it a repetition is told that the first one is still running.
  ///   - refusal: how a counted refusal is written; by default as a problem document.
  package init(
    database: any SQLDatabase, idempotency: Idempotency, world: World, patience: AnswerPoller = .none,
    refusal: (@Sendable (Problem, Write) throws -> StoredAnswer)? = nil
  ) {
    (self.database, self.idempotency, self.world, self.patience) = (database, idempotency, world, patience)
    self.refusal = refusal ?? Self.refusal
  }

  // MARK: Which write it is

  /// - Parameters:
  ///   - client: whose key it is; the same key of another client is another key.
  ///   - body: what a repetition has to equal. Where it holds a password: a keyed digest of it.
  /// - Throws: `Problem` missing-header for a key that is no UUID.
  package func write(
    path: String, key: String?, client: String, body: Data, correlationID: String = ""
  ) throws -> Write {
    let request = try key.map { key in
      guard key.canonicalUUID != nil else {
        throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
      }
      return Idempotency.Request(owner: client, path: "POST \(path)", key: key, body: body, claimant: world.uuid())
    }
    return Write(path: path, correlationID: correlationID, request: request)
  }

  package func write(_ request: Request, client: String, body: Data, correlationID: String) throws -> Write {
    try write(
      path: request.routedPath, key: request.headers[.idempotencyKey], client: client, body: body,
      correlationID: correlationID)
  }

  // MARK: Work that is one transaction

  /// Claims the key. The claim is found again when its commit was uncertain and the transaction is run once more.
  /// - Returns: what the same write was answered before; nil when the work is to be done.
  /// - Throws: `Problem` idempotency-conflict, step-in-progress; `SQLError.notUnique` when another transaction claimed
  ///   the key at the same moment.
  package func claim(_ write: Write, in tx: any SQLTransaction) throws -> Answer? {
    try write.request.flatMap { try Self.earlier(idempotency.begin($0, in: tx)) }
  }

  /// Whether an answer or a claim is kept under the key, whatever the body was. Changes nothing.
  package func isKnown(_ write: Write, in tx: any SQLTransaction) throws -> Bool {
    try write.request.map { try idempotency.isKnown($0, in: tx) } ?? false
  }

  /// Keeps the answer in the transaction of the work that it answers.
  /// - Throws: `Problem` idempotency-conflict when the claim had lapsed and another request took the key.
  /// - Parameter subject: whom the answer is about, where that is not the client.
  package func keep(
    _ view: any Encodable & Sendable, status: Int = 200, about subject: KeySubject? = nil, for write: Write,
    in tx: any SQLTransaction
  ) throws -> Answer { try keep(Self.stored(status, view), about: subject, for: write, in: tx) }

  /// The same with an answer that is encoded already.
  package func keep(_ answer: StoredAnswer, for write: Write, in tx: any SQLTransaction) throws -> Answer {
    try keep(answer, about: nil, for: write, in: tx)
  }

  /// - Parameter subject: whom the answer is about, where that is not the client.
  package func keep(
    _ answer: StoredAnswer, about subject: KeySubject?, for write: Write, in tx: any SQLTransaction
  ) throws -> Answer {
    if let request = write.request { try idempotency.store(answer, for: request, about: subject, in: tx) }
    return Answer(answer)
  }

  /// Gives the key back: the write was refused and changed nothing.
  package func release(_ write: Write, in tx: any SQLTransaction) throws {
    if let request = write.request { try idempotency.release(request, in: tx) }
  }

  // MARK: Work of several steps

  /// Claims the key; of another request's claim it waits for the answer.
  /// - Returns: what the same write was answered before; nil when the work is to be done.
  /// - Throws: `Problem` idempotency-conflict, step-in-progress.
  package func claim(_ write: Write, within span: Span = .standard) async throws -> Answer? {
    guard let request = write.request else { return nil }
    var outcome = try await claim(request, for: span.claim)
    if case .running = outcome,
      try await patience.wait(
        upTo: span.patience, while: { try await database.read { try idempotency.isRunning(request, in: $0) } })
    {
      outcome = try await claim(request, for: span.claim)
    }
    return try Self.earlier(outcome)
  }

  private func claim(_ request: Idempotency.Request, for lifetime: Duration) async throws -> Idempotency.Outcome {
    do { return try await database.write { try idempotency.begin(request, claiming: lifetime, in: $0) } } catch SQLError
      .notUnique
    {
      // Another request claimed the key at the same moment: now its claim can be seen.
      return try await database.write { try idempotency.begin(request, claiming: lifetime, in: $0) }
    }
  }

  /// Keeps the answer after the work, unless the work kept it in its own transaction.
  /// - Parameter subject: whom the answer is about, where that is not the client.
  package func keep(
    _ view: any Encodable & Sendable, status: Int = 200, about subject: KeySubject? = nil, for write: Write
  ) async throws -> Answer { try await keep(Self.stored(status, view), about: subject, for: write) }

  private func keep(
    _ answer: StoredAnswer, about subject: KeySubject? = nil, for write: Write
  ) async throws -> Answer {
    guard let request = write.request else { return Answer(answer) }
    try await database.write { tx in
      if case .replay = try idempotency.begin(request, in: tx) { return }
      try idempotency.store(answer, for: request, about: subject, in: tx)
    }
    return Answer(answer)
  }

  /// Ends work that failed. A refusal that was counted is kept, so that a repetition is not counted again. After what
  /// was rolled back the same key may be used again at once. After any other error it is unknown what happened, and the
  /// claim lapses by itself.
  /// - Returns: the counted refusal.
  /// - Throws: `error`, when it is not one.
  package func abandon(_ write: Write, after error: any Error) async throws -> Answer {
    guard write.request != nil else { throw error }
    if let problem = error as? Problem, problem.attemptsLeft != nil {
      return try await keep(try refusal(problem, write), for: write)
    }
    if error is Problem || (error as? SQLError).map({ $0 != .uncertain }) ?? false { await release(write) }
    throw error
  }

  /// Gives the key back after the work failed; a claim that cannot be given back now lapses by itself.
  package func release(_ write: Write) async {
    guard write.request != nil else { return }
    try? await database.write(retrying: .outdated) { try release(write, in: $0) }
  }

  // MARK: Answers

  private static func earlier(_ outcome: Idempotency.Outcome) throws -> Answer? {
    switch outcome {
    case .replay(let answer): return Answer(answer, isReplay: true)
    case .conflict:
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
    case .running: throw Problem.stepInProgress
    case .fresh: return nil
    }
  }

  @Sendable
  private static func refusal(_ problem: Problem, _ write: Write) throws -> StoredAnswer {
    let details = ProblemDocument.details(problem, instance: "\(write.path)#\(write.correlationID)")
    return StoredAnswer(
      status: problem.status.code, contentType: ProblemDetails.mediaType, body: try WireJSON.encode(details))
  }

  package static func stored(_ status: Int, _ view: any Encodable & Sendable) throws -> StoredAnswer {
    StoredAnswer(
      status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view))
  }
}

extension SQLDatabase {
  /// A write that claims an idempotency key. It is run again while other transactions are faster.
  /// - Throws: `Problem` step-in-progress when another transaction claimed the key at the same moment.
  package func writeOnce<Value: Sendable>(
    _ isolation: SQLIsolation = .snapshot, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    do { return try await write(retrying: .outdated, isolation, body) } catch SQLError.notUnique {
      throw Problem.stepInProgress
    }
  }
}

extension Problem {
  /// Another request with the same key is being worked on.
  package static let stepInProgress = Problem(.conflict, "step-in-progress", "This request is being worked on.")
}

extension Response {
  /// An answer, first or repeated.
  package init(_ answer: IdempotentAnswers.Answer) {
    var headers: HTTPFields = [.contentType: answer.stored.contentType]
    if answer.isReplay { headers[.idempotencyReplayed] = "true" }
    self.init(
      status: .init(code: answer.stored.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.stored.body)))
  }
}

extension HTTPField.Name {
  fileprivate static let idempotencyKey = Self("Idempotency-Key")!
  fileprivate static let idempotencyReplayed = Self("Idempotency-Replayed")!
}
