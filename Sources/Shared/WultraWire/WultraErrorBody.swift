// SPDX-License-Identifier: Apache-2.0

extension Wultra {
  /// The body of every answer that is an error (§1, §5.2): plain JSON also where the request was encrypted.
  public struct ErrorBody: Codable, Sendable, Equatable {
    /// What went wrong.
    public struct Failure: Codable, Sendable, Equatable {
      /// See `ErrorCode`; PowerAuth's layer has codes of its own.
      public var code: String
      /// A name of the error or a text for developers; never for people.
      public var message: String

      /// Creates it.
      public init(code: String, message: String) {
        self.code = code
        self.message = message
      }
    }

    /// `ERROR`.
    public var status: String
    /// What went wrong.
    public var responseObject: Failure
    /// Of a refused activation code: how often it may still be tried, 0 when the process is over (§2).
    public var remainingAttempts: Int?
    /// Milliseconds since 1970, where the request was encrypted: makes clients of networking 1.3 read the error (§1).
    public var timestamp: Int64?

    /// Creates the body.
    public init(_ failure: Failure, remainingAttempts: Int? = nil, timestamp: Int64? = nil) {
      status = "ERROR"
      responseObject = failure
      self.remainingAttempts = remainingAttempts
      self.timestamp = timestamp
    }
  }

  /// The answer of calls that have nothing to tell: `{"status":"OK"}`, without `responseObject`.
  public struct DoneBody: Codable, Sendable, Equatable {
    /// `OK`.
    public var status: String

    /// Creates the body.
    public init() { status = "OK" }
  }
}
