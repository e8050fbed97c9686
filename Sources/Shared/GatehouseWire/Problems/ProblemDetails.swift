// SPDX-License-Identifier: Apache-2.0

/// A problem document, `application/problem+json` (RFC 9457), with the extension members of Gatehouse
/// (rubix-onboarding §1.2). Absent members are left out.
public struct ProblemDetails: Codable, Sendable, Equatable {
  /// The media type of problem documents.
  public static let mediaType = "application/problem+json"

  /// A stable URI for this kind of problem; its last part is `code`.
  public var type: String
  /// The kind of problem in a few words; the same for every occurrence.
  public var title: String
  /// The HTTP status, repeated.
  public var status: Int
  /// This occurrence, for people. Never personal data.
  public var detail: String?
  /// This occurrence as a URI reference: the path with `#` and the correlation id.
  public var instance: String?
  /// The short stable code that clients switch over.
  public var code: ProblemCode
  /// What is wrong with which member of the request.
  public var errors: [ProblemFieldError]?
  /// Paths of the calls that would be in order now.
  public var expectedSteps: [String]?
  /// Constant of the step that reached an outcome most recently.
  public var lastStep: String?
  /// Seconds until another try makes sense.
  public var retryAfterSeconds: Int?
  /// Tries left before the thing tried is locked.
  public var attemptsLeft: Int?

  /// Creates the document from its members.
  public init(
    type: String,
    title: String,
    status: Int,
    detail: String? = nil,
    instance: String? = nil,
    code: ProblemCode,
    errors: [ProblemFieldError]? = nil,
    expectedSteps: [String]? = nil,
    lastStep: String? = nil,
    retryAfterSeconds: Int? = nil,
    attemptsLeft: Int? = nil
  ) {
    self.type = type
    self.title = title
    self.status = status
    self.detail = detail
    self.instance = instance
    self.code = code
    self.errors = errors
    self.expectedSteps = expectedSteps
    self.lastStep = lastStep
    self.retryAfterSeconds = retryAfterSeconds
    self.attemptsLeft = attemptsLeft
  }

  /// Reads any problem document, also one from a proxy in between: a member of the wrong type counts as absent
  /// (RFC 9457 §3.1), a missing type is `about:blank` (§4.2.1), a missing code is the type's last part.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func lenient<Value: Decodable>(_: Value.Type, _ key: CodingKeys) -> Value? {
      (try? container.decodeIfPresent(Value.self, forKey: key)) ?? nil
    }
    let type = lenient(String.self, .type) ?? "about:blank"
    self.type = type
    title = lenient(String.self, .title) ?? ""
    status = lenient(Int.self, .status) ?? 0
    detail = lenient(String.self, .detail)
    instance = lenient(String.self, .instance)
    code =
      lenient(ProblemCode.self, .code)
      ?? ProblemCode(rawValue: String(type.split(whereSeparator: { "/#:".contains($0) }).last ?? ""))
    errors = lenient([ProblemFieldError].self, .errors)
    expectedSteps = lenient([String].self, .expectedSteps)
    lastStep = lenient(String.self, .lastStep)
    retryAfterSeconds = lenient(Int.self, .retryAfterSeconds)
    attemptsLeft = lenient(Int.self, .attemptsLeft)
  }

  enum CodingKeys: String, CodingKey {
    case type, title, status, detail, instance, code, errors
    case expectedSteps = "expected_steps"
    case lastStep = "last_step"
    case retryAfterSeconds = "retry_after_seconds"
    case attemptsLeft = "attempts_left"
  }
}
