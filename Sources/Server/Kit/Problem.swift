// SPDX-License-Identifier: Apache-2.0

/// A failure that a client may see. Thrown inside a transaction it rolls the transaction back.
///
/// The category decides the HTTP status; the code is the system's stable name; the detail is for people and never
/// carries personal data, secrets or what another customer has.
package struct Problem: Error, Sendable, Equatable {
  package enum Category: Sendable, CaseIterable {
    case badRequest, unauthenticated, forbidden, notFound, methodNotAllowed, requestTimeout, conflict, gone,
      payloadTooLarge, unsupportedMedia, unprocessable, locked, rateLimited, clientGone, `internal`, providerFailed,
      unavailable,
      providerTimedOut
  }

  /// What was looked for and is not there. It is for people: two refusals are the same refusal whatever it was.
  private struct MissingResource: Sendable, Equatable {
    var resource: NamedResource?

    static func == (one: MissingResource, other: MissingResource) -> Bool { true }
  }

  /// What is wrong with one member of the request.
  package struct Field: Sendable, Equatable {
    /// JSON pointer (RFC 6901) into the request body.
    package let pointer: String
    package let code: String
    package let message: String

    package init(_ pointer: String, _ code: String, _ message: String) {
      self.pointer = pointer
      self.code = code
      self.message = message
    }
  }

  package let category: Category
  package let code: String
  /// One sentence or two, for people.
  package var detail: String { sought.resource.map { "There is no such \($0.rawValue)." } ?? words }
  private let words: String
  private var sought = MissingResource()
  /// What is not there; nil where that would tell what others have, and of other refusals.
  package var resource: NamedResource? { sought.resource }
  package var fields: [Field] = []
  /// Paths of the calls that are legal now.
  package var expectedSteps: [String]?
  package var lastStep: String?
  package var retryAfterSeconds: Int?
  package var attemptsLeft: Int?
  /// Where the caller stands with the limit that refused them.
  package var usage: RateLimit.Usage?
  /// Methods that the path has, for one who asked by another.
  package var allowedMethods: [String] = []

  package init(_ category: Category, _ code: String, _ detail: String) {
    self.category = category
    self.code = code
    words = detail
  }
}

extension Problem {
  /// Not there, or not yours: the same answer for both.
  package static let notFound = Problem(.notFound, "not-found", "There is no such resource.")

  /// The same of what the caller named. Only where they named it themselves, and for all reasons for which it is not
  /// there for them: which of them it was would tell what others have.
  package static func missing(_ resource: NamedResource) -> Problem {
    notFound.with { $0.sought.resource = resource }
  }

  package static let unavailable = Problem(.unavailable, "unavailable", "The service cannot answer right now.")
  /// What a client learns of an unexpected error.
  package static let unexpected = Problem(.internal, "internal", "Something went wrong on our side.")

  package static func validation(_ fields: [Field]) -> Problem {
    var problem = Problem(.unprocessable, "validation-failed", "One or more members are not acceptable.")
    problem.fields = fields
    return problem
  }

  package func with(_ change: (inout Problem) -> Void) -> Problem {
    var copy = self
    change(&copy)
    return copy
  }
}
