// SPDX-License-Identifier: Apache-2.0

/// Why no answer came. Carries no address, header or body, so that it may be logged.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure. More may come: switch with a default.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A stable word.
    public let rawValue: String
    /// Wraps a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The deadline passed.
    public static let timedOut = Code(rawValue: "timed-out")
    /// The device has no network.
    public static let offline = Code(rawValue: "offline")
    /// The server could not be found or reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The connection broke; the server may have acted.
    public static let connectionLost = Code(rawValue: "connection-lost")
    /// TLS failed: the server is not who it should be.
    public static let insecure = Code(rawValue: "insecure")
    /// The request was about to leave the device in clear text.
    public static let clearText = Code(rawValue: "clear-text")
    /// The answer is larger than the limit.
    public static let answerTooLarge = Code(rawValue: "answer-too-large")
    /// What came back is not HTTP.
    public static let invalidAnswer = Code(rawValue: "invalid-answer")
    /// The caller's task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A transport of a test was called although nothing expected it.
    public static let unexpectedCall = Code(rawValue: "unexpected-call")
    /// This transport knows no answers that go on.
    public static let unsupported = Code(rawValue: "unsupported")
    /// Something else.
    public static let other = Code(rawValue: "other")
  }

  /// The kind of failure.
  public let code: Code

  /// Creates the error.
  public init(_ code: Code) { self.code = code }

  /// Whether the same request may succeed a moment later.
  public var isTransient: Bool { [.timedOut, .offline, .unreachable, .connectionLost].contains(code) }

  /// The code's word.
  public var description: String { "TransportError(\(code.rawValue))" }
}
