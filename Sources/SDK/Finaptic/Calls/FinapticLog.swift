// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// What the SDK says about its work: which method, how long, how it ended. Never a value of the app's or the user's.
public struct FinapticLogEntry: Sendable, Hashable, CustomStringConvertible {
  /// Client and method, such as `onboarding/updateConsents`.
  public let method: String
  /// From the call to its end, retries included.
  public let duration: Duration
  /// How often it was sent.
  public let attempts: Int
  /// Nil for success.
  public let code: FinapticErrorCode?
  /// What to tell support, where the server said so.
  public let refNumber: String?

  /// One line.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let reference = refNumber.map { " ref \($0)" } ?? ""
    return "\(method) \(code?.rawValue ?? "OK") \(milliseconds) ms, \(attempts) sent\(reference)"
  }
}

/// Where log entries go.
public enum FinapticLog {
  /// Takes each entry, on any thread.
  public typealias Handler = @Sendable (FinapticLogEntry) -> Void

  private static let current = Guarded<Handler>(standardError)

  /// Who gets the entries; at first `standardError`. Set `{ _ in }` for silence.
  public static var handler: Handler {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// A line on the standard error stream.
  public static let standardError: Handler = { entry in
    try? FileHandle.standardError.write(contentsOf: Data("[Finaptic] \(entry)\n".utf8))
  }
}
