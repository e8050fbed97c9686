import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import Kit
import Storage

/// Remembers the answers to other servers' writes that carry an `Idempotency-Key`.
///
/// Work that is one transaction commits with its key and its answer. Other work claims its key first: what cannot be
/// repeated keeps its answer in its own transaction, by `Record`; other answers are kept right after it. Who is killed
/// in between leaves a claim that lapses; what is sent again then meets the state that the first one left.
package struct AnswerMemory: Sendable {
  /// One write and the key under which it may be sent again.
  package struct Write: Sendable {
    package let path: String
    let client: String
    let body: Data
    let key: String?
    package let correlationID: String

    package init<Client>(
      _ request: Request, _ context: ClientContext<Client>, client: String, body: Data
    ) {
      (path, self.client, self.body) = (request.uri.path, client, body)
      (key, correlationID) = (request.headers[.idempotencyKey], context.correlationID)
    }

    /// - Parameters:
    ///   - client: whose key it is; the same key of another one is another key.
    ///   - body: what a repetition has to equal. Where it holds a password: a keyed digest of it.
    package init(_ request: Request, client: String, body: Data, correlationID: String) {
      (path, self.client, self.body) = (request.uri.path, client, body)
      (key, self.correlationID) = (request.headers[.idempotencyKey], correlationID)
    }
  }

  /// An answer on its way out.
  package struct Answer: Sendable {
    let answer: StoredAnswer
    var isReplay = false
  }

  /// Keeps an answer in the transaction of the work that it answers; nothing when the write has no key.
  package struct Record: Sendable {
    package let keep: @Sendable (any Encodable & Sendable, any SQLTransaction) throws -> Void
  }

  /// How long work of several steps may take.
  package struct Span: Sendable {
    /// After this a claim without an answer counts as one of a process that died, and another one may take the key.
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
  private let patience: AnswerPatience
  private let refusal: @Sendable (Problem, Write) throws -> StoredAnswer

  /// - Parameters:
  ///   - patience: with work of several steps; without it a repetition is told that the first one is still running.
  ///   - refusal: how a counted refusal is kept; nil is a problem document.
  package init(
    database: any SQLDatabase, idempotency: Idempotency, world: World, patience: AnswerPatience = .none,
    refusal: (@Sendable (Problem, Write) throws -> StoredAnswer)? = nil
  ) {
    (self.database, self.idempotency, self.world, self.patience) = (database, idempotency, world, patience)
    self.refusal = refusal ?? Self.refusal
  }

  // MARK: Work that is one transaction

  /// - Parameter writing: runs the transaction, more than once if it has to.
  /// - Throws: `Problem` missing-header for a key that is no UUID; idempotency-conflict; step-in-progress.
  package func answer(
    to write: Write, status: Int = 200,
    writing: @Sendable (@escaping @Sendable (any SQLTransaction) throws -> Answer) async throws -> Answer,
    _ work: @escaping @Sendable (any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Answer {
    let request = try request(write)
    do {
      return try await writing { [idempotency] tx in
        if let request, let earlier = try Self.earlier(idempotency.begin(request, in: tx)) { return earlier }
        let answer = try Self.answer(status, try work(tx))
        if let request { try idempotency.store(answer, for: request, in: tx) }
        return Answer(answer: answer)
      }
    } catch SQLError.notUnique {
      // Two at once: the other one has it.
      throw Self.running
    }
  }

  // MARK: Work of several steps

  /// - Throws: `Problem` missing-header for a key that is no UUID; idempotency-conflict; step-in-progress.
  package func answer(
    to write: Write, status: Int = 200, within span: Span = .standard,
    _ work: @Sendable (Record) async throws -> any Encodable & Sendable
  ) async throws -> Answer {
    guard let request = try request(write) else {
      return Answer(answer: try Self.answer(status, try await work(Record { _, _ in })))
    }
    if let earlier = try Self.earlier(await begin(request, within: span)) { return earlier }
    let answer = try await worked(write, request, status, work)
    try await database.write { [idempotency] tx in
      // Kept already, by the work itself.
      if case .replay = try idempotency.begin(request, in: tx) { return }
      try idempotency.store(answer, for: request, in: tx)
    }
    return Answer(answer: answer)
  }

  private func worked(
    _ write: Write, _ request: Idempotency.Request, _ status: Int,
    _ work: @Sendable (Record) async throws -> any Encodable & Sendable
  ) async throws -> StoredAnswer {
    let record = Record { [idempotency] view, tx in
      try idempotency.store(try Self.answer(status, view), for: request, in: tx)
    }
    do { return try Self.answer(status, try await work(record)) } catch {
      // It was counted: the refusal is what a repetition gets, instead of being counted again.
      if let problem = error as? Problem, problem.attemptsLeft != nil { return try refusal(problem, write) }
      // Rolled back: the same key may try again at once. After anything else nobody knows, and the claim lapses by
      // itself.
      if error is Problem || (error as? SQLError).map({ $0 != .uncertain }) ?? false {
        try? await database.write { [idempotency] in try idempotency.release(request, in: $0) }
      }
      throw error
    }
  }

  @Sendable
  private static func refusal(_ problem: Problem, _ write: Write) throws -> StoredAnswer {
    let details = ProblemDocument.details(problem, instance: "\(write.path)#\(write.correlationID)")
    return StoredAnswer(
      status: problem.status.code, contentType: ProblemDetails.mediaType, body: try WireJSON.encode(details))
  }

  /// Claims the key; of another's claim it waits for the answer.
  private func begin(_ request: Idempotency.Request, within span: Span) async throws -> Idempotency.Outcome {
    let outcome = try await claim(request, for: span.claim)
    guard case .running = outcome else { return outcome }
    let waited = try await patience.wait(upTo: span.patience) {
      try await database.read { [idempotency] in try idempotency.isRunning(request, in: $0) }
    }
    return waited ? try await claim(request, for: span.claim) : outcome
  }

  private func claim(_ request: Idempotency.Request, for lifetime: Duration) async throws -> Idempotency.Outcome {
    do {
      return try await database.write { [idempotency] in try idempotency.begin(request, claiming: lifetime, in: $0) }
    } catch SQLError.notUnique {
      // Somebody claimed the key at the same moment: now their claim is there to be seen.
      return try await database.write { [idempotency] in try idempotency.begin(request, claiming: lifetime, in: $0) }
    }
  }

  // MARK: What both share

  /// Nil for a write without a key.
  private func request(_ write: Write) throws -> Idempotency.Request? {
    guard let key = write.key else { return nil }
    guard UUID(uuidString: key) != nil else {
      throw Problem(.badRequest, "missing-header", "Idempotency-Key must be a UUID.")
    }
    return Idempotency.Request(
      owner: write.client, path: "POST \(write.path)", key: key, body: write.body, claimant: world.uuid())
  }

  /// What the same write was answered before; nil when the work is to be done.
  private static func earlier(_ outcome: Idempotency.Outcome) throws -> Answer? {
    switch outcome {
    case .replay(let answer): return Answer(answer: answer, isReplay: true)
    case .conflict:
      throw Problem(.conflict, "idempotency-conflict", "This Idempotency-Key was used with another body.")
    case .running: throw running
    case .fresh: return nil
    }
  }

  private static let running = Problem(.conflict, "step-in-progress", "This request is being worked on.")

  private static func answer(_ status: Int, _ view: any Encodable & Sendable) throws -> StoredAnswer {
    StoredAnswer(
      status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view))
  }

  /// The answer to a question, which nobody has to remember.
  package static func response(_ view: some Encodable & Sendable) throws -> Response {
    Response(Answer(answer: try answer(200, view)))
  }
}

extension Response {
  /// An answer, first or repeated.
  package init(_ answer: AnswerMemory.Answer) {
    var headers: HTTPFields = [.contentType: answer.answer.contentType]
    if answer.isReplay { headers[.idempotencyReplayed] = "true" }
    self.init(
      status: .init(code: answer.answer.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.answer.body)))
  }
}

extension HTTPField.Name {
  fileprivate static let idempotencyKey = Self("Idempotency-Key")!
  fileprivate static let idempotencyReplayed = Self("Idempotency-Replayed")!
}
