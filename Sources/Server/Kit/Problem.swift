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
  package let detail: String
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
    self.detail = detail
  }
}

extension Problem {
  /// Not there, or not yours: the same answer for both.
  package static let notFound = Problem(.notFound, "not-found", "There is no such resource.")
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
