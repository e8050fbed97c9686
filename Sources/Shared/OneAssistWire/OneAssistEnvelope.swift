// SPDX-License-Identifier: Apache-2.0

extension OneAssist {
  /// What every answer of the activation API is wrapped in (§8).
  public struct Envelope<Content: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// `success` or `failure`.
    @Loose public var status: String?
    /// For people.
    @Loose public var message: String?
    /// The HTTP status once more.
    @Loose public var statusCode: Int64?
    /// What there is to say; nil in a failure.
    @Loose public var data: Content?
    /// What went wrong; empty in a success.
    public var errors: [Failure]
    /// Beside an error: where the membership stands.
    @Loose public var extra: TaskStatus?

    /// A success.
    public init(_ data: Content) {
      errors = []
      (status, message, statusCode) = ("success", nil, 200)
      (self.data, extra) = (data, nil)
    }

    /// A failure.
    public init(_ failures: [Failure], statusCode: Int, extra: TaskStatus?) {
      errors = failures
      (status, message, self.statusCode) = ("failure", failures.first?.message, Int64(statusCode))
      (data, self.extra) = (nil, extra)
    }

    private enum CodingKeys: String, CodingKey {
      case status, message, responseMessage, statusCode, data, errors, error, extra
    }

    /// Reads what servers write: `errors` or `error`, `message` or `responseMessage` (§2.3).
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _status = try container.decode(Loose<String>.self, forKey: .status)
      let message = try container.decode(Loose<String>.self, forKey: .message)
      _message =
        message.wrappedValue == nil
        ? try container.decode(Loose<String>.self, forKey: .responseMessage) : message
      _statusCode = try container.decode(Loose<Int64>.self, forKey: .statusCode)
      _data = try container.decode(Loose<Content>.self, forKey: .data)
      let failures = try container.decode(Loose<[Failure]>.self, forKey: .errors).wrappedValue ?? []
      errors =
        failures.isEmpty
        ? try container.decode(Loose<[Failure]>.self, forKey: .error).wrappedValue ?? [] : failures
      _extra = try container.decode(Loose<TaskStatus>.self, forKey: .extra)
    }

    /// Writes `errors` and `message`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(_status, forKey: .status)
      try container.encode(_message, forKey: .message)
      try container.encode(_statusCode, forKey: .statusCode)
      try container.encode(_data, forKey: .data)
      try container.encode(errors, forKey: .errors)
      if extra != nil { try container.encode(_extra, forKey: .extra) }
    }

    /// Whether the answer says that the call did what it was asked for.
    public var isSuccess: Bool { status?.lowercased() == "success" && errors.isEmpty }
  }

  /// One thing that went wrong.
  public struct Failure: Codable, Sendable, Equatable {
    /// The stable name of the error.
    @Loose public var errorCode: String?
    /// For people.
    @Loose public var message: String?
    /// Which member of the request it is about.
    @Loose public var attributeCode: String?

    /// Creates the value from its members.
    public init(errorCode: String?, message: String?, attributeCode: String? = nil) {
      (self.errorCode, self.message, self.attributeCode) = (errorCode, message, attributeCode)
    }
  }

  /// Where the membership stands: in every answer about one, so that clients stay in step (§8.2).
  public struct TaskStatus: Codable, Sendable, Equatable {
    /// See `TaskInfo`.
    @Loose public var taskInfo: TaskInfo?

    /// Creates the value from its members.
    public init(taskInfo: TaskInfo?) { self.taskInfo = taskInfo }
  }
}
