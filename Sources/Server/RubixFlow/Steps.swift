// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// One call of a customer that changes state. Its body may still be on its way.
package struct StepRequest: Sendable {
  let customer: Customer
  let idempotencyKey: String?
  /// Names the request in the problem that it may end with.
  let correlationID: String
  /// Whether the body is too large to be read before it is known that the call is in order.
  let isLarge: Bool
  let readBody: @Sendable () async throws -> RequestContent

  /// The same request, whose body was read.
  func with(_ body: RequestContent) -> StepRequest {
    StepRequest(customer: customer, idempotencyKey: idempotencyKey, correlationID: correlationID, isLarge: false) {
      body
    }
  }
}

/// A request that was admitted: its call is in order, and its idempotency key is claimed.
struct Step: Sendable {
  let call: RubixCall
  let request: StepRequest
  fileprivate let content: StepContent
  fileprivate let write: IdempotentAnswers.Write
  /// The application as the request was admitted on it.
  let dossier: Dossier
  /// What the same request was answered before; the step has nothing else to do then.
  var earlier: StepAnswer?

  var body: RequestContent { content.body }

  /// The body, which the step keeps no longer.
  func takeBody() -> RequestContent { content.take() }
}

/// How a step ended: a view, or a problem that was counted and therefore commits.
package enum StepReply: Sendable {
  case view(status: Int, any Encodable & Sendable, retryAfterSeconds: Int? = nil)
  case problem(Problem)

  static func ok(_ view: any Encodable & Sendable) -> StepReply { .view(status: 200, view) }
  static func created(_ view: any Encodable & Sendable) -> StepReply { .view(status: 201, view) }
}

/// An answer on its way out.
package struct StepAnswer: Sendable {
  package let answer: StoredAnswer
  package var retryAfterSeconds: Int?
  package var isReplay = false

  /// - Parameter instance: path below the base, with `#` and the correlation id.
  init(_ reply: StepReply, instance: String) throws {
    switch reply {
    case .view(let status, let view, let retryAfter):
      answer = StoredAnswer(
        status: status, contentType: "application/json; charset=utf-8", body: try WireJSON.encode(view))
      retryAfterSeconds = retryAfter
    case .problem(let problem):
      answer = try RubixDialect.stored(problem, instance: RubixDialect.base + instance)
      retryAfterSeconds = problem.retryAfterSeconds
    }
  }

  /// What was answered before.
  init(replaying answer: StoredAnswer) {
    self.answer = answer
    isReplay = true
  }
}

/// What every state-changing call of a customer has in common. A command calls these in turn:
///
/// 1. `admit`. Before a large body is read: the session lives, the customer's rate is kept, the call is in order, its
///    own limits are not exceeded. Then a transaction of its own: the session lives, the application is open, the
///    customer's rate is kept, the idempotency key is claimed, the call is in order, its own limit is kept. A refusal
///    stores nothing but the counted use; a call out of order counts against the customer's rate alone.
/// 2. Its work, in no transaction: the body, images, matching, providers.
/// 3. `resume` and `keep`, in the command's transaction: session and order are checked again, the step is made, and its
///    audit line, its effects and the answer for repetitions are written together.
/// 4. `abandon`, when 2 or 3 failed: the key can be used again.
package struct Steps: Sendable {
  /// Requests of one customer, whatever they are for.
  static let overall = RateLimit("customer", 300, per: .minutes(1))
  /// The longest that the work between the transactions may take.
  static let workLimit = Duration.seconds(45)
  /// When work that took longer may be tried again, in seconds; as for pictures that find no place.
  static let retrySeconds = 5

  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let answers: IdempotentAnswers

  func admit(_ call: RubixCall, _ request: StepRequest) async throws -> Step {
    if request.isLarge { try await requireInOrder(call, request) }
    let body = try await request.readBody()
    let write = try write(call, request, body)
    do { return try await admit(call, request, body, write).get() } catch SQLError.uncertain {
      // It may have claimed the key: a second look finds our own claim. The rate may be counted twice.
      return try await admit(call, request, body, write).get()
    }
  }

  private func write(
    _ call: RubixCall, _ request: StepRequest, _ body: RequestContent
  ) throws -> IdempotentAnswers.Write {
    try answers.write(
      path: call.path, key: request.idempotencyKey, client: request.customer.identity.subject, body: body.bytes,
      correlationID: request.correlationID)
  }

  /// Refuses what will be refused whatever the body is. Counts nothing.
  func requireInOrder(_ call: RubixCall, _ request: StepRequest) async throws {
    let (customer, key) = (request.customer, try write(call, request, RequestContent(bytes: Data())))
    try await core.database.look { tx in
      try sessions.requireLive(customer.identity, in: tx)
      let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
      try core.limits.require(Self.overall, by: customer.id.rawValue, in: tx)
      // A repetition gets its answer, whatever came since.
      guard try !answers.isKnown(key, in: tx) else { return }
      try StepOrder.require(call, dossier.application, expecting: dossier.nextSteps)
      for (limit, subject) in call.limits(of: customer.id) { try core.limits.require(limit, by: subject, in: tx) }
    }
  }

  /// - Returns: a refusal that commits what was counted.
  private func admit(
    _ call: RubixCall, _ request: StepRequest, _ body: RequestContent, _ write: IdempotentAnswers.Write
  ) async throws -> Result<Step, Problem> {
    try await core.database.write(retrying: .outdated) { tx in
      try sessions.requireLive(request.customer.identity, in: tx)
      var step = Step(
        call: call, request: request, content: StepContent(body), write: write,
        dossier: try applications.open(request.customer, in: tx))
      if let refusal = try refusal(Self.overall, step, in: tx) { return .failure(refusal) }
      // Before the step's own limit: a repetition of what was asked already, say after a crash, is no further use.
      do {
        step.earlier = try answers.claim(write, in: tx).map { StepAnswer(replaying: $0.stored) }
      } catch let problem as Problem { return .failure(problem) }
      guard step.earlier == nil else { return .success(step) }
      do {
        try StepOrder.require(call, step.dossier.application, expecting: step.dossier.nextSteps)
        // Behind the order (§5.1): a step that is not due does no work, and is no use of the limit of that work.
        if let limit = call.limit, let refusal = try refusal(limit, step, in: tx) { throw refusal }
        return .success(step)
      } catch let problem as Problem {
        try answers.release(write, in: tx)
        return .failure(problem)
      }
    }
  }

  /// Counts one use.
  /// - Returns: the problem when it is one too many.
  private func refusal(_ limit: RateLimit, _ step: Step, in tx: any SQLTransaction) throws -> Problem? {
    let usage = try core.limits.count(limit, by: step.dossier.application.id.rawValue, in: tx)
    return usage.isExceeded ? .rateLimited(usage) : nil
  }

  /// The application as it is now, on which the call is still in order.
  func resume(_ step: Step, in tx: any SQLTransaction) throws -> Dossier {
    let customer = step.request.customer
    try sessions.requireLive(customer.identity, in: tx)
    let dossier = try applications.load(customer.id, tenant: customer.tenant, in: tx)
    try StepOrder.require(step.call, dossier.application, expecting: dossier.nextSteps)
    return dossier
  }

  /// Keeps the answer of a step for repetitions.
  func keep(_ reply: StepReply, for step: Step, in tx: any SQLTransaction) throws -> StepAnswer {
    let answer = try StepAnswer(reply, instance: "\(step.call.path)#\(step.request.correlationID)")
    _ = try answers.keep(answer.answer, for: step.write, in: tx)
    return answer
  }

  /// Counts a picture that is about to be stored against the limit of its kind, in a transaction of its own: what is
  /// one too many costs no room.
  /// - Throws: `Problem` rate-limited.
  func countPicture(of step: Step) async throws -> RateLimit.Usage? {
    guard let (limit, subject) = step.call.dailyLimit(of: step.request.customer.id) else { return nil }
    let usage = try await core.database.write(retrying: .outdated) { tx in
      try core.limits.count(limit, by: subject, in: tx)
    }
    guard !usage.isExceeded else { throw Problem.rateLimited(usage) }
    return usage
  }

  /// Gives the key of a failed step free, and removes what was stored of its picture.
  /// - Parameter image: the picture's, which no row names unless it is unknown whether the step committed.
  /// - Returns: the error for the caller. A step out of order names the last step and those that are due (§5.1).
  func abandon(_ step: Step, storing image: CapturedImage.ID? = nil, after error: any Error) async -> any Error {
    if let image, error as? SQLError != .uncertain { await discard(image) }
    await answers.release(step.write)
    if let problem = error as? Problem, problem.code == Problem.stepOutOfOrder.code, problem.lastStep == nil {
      return problem.with {
        $0.lastStep = step.dossier.application.lastStep.rawValue
        $0.expectedSteps = $0.expectedSteps ?? step.dossier.nextSteps.map(\.path)
      }
    }
    return error is Deadline.Exceeded ? Problem.unavailable.with { $0.retryAfterSeconds = Self.retrySeconds } : error
  }

  /// Removes what was stored of a picture that no row names. What cannot be removed now is removed by the sweep of such
  /// objects.
  func discard(_ image: CapturedImage.ID) async {
    for key in [image.rawValue, CapturedImage.originalKey(image)] { try? await core.blobs.delete(key) }
  }
}
