// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// How much a message matters.
public enum WPNLogLevel: Sendable, CaseIterable {
  case debug, info, warning, error
}

/// Sees what the module says about its work.
public protocol WPNLoggerDelegate: AnyObject, Sendable {
  /// Whether it sees only what `verboseLevel` lets through; otherwise it sees everything.
  var wpnFollowVerboseLevel: Bool { get }
  /// Called on any thread.
  func wpnLog(message: String, logLevel: WPNLogLevel)
}

/// What the module says about its work, for developers: words and numbers, nothing personal, no secret, no address,
/// header or body.
public enum WPNLogger {
  /// How much is said; each level says what those before it say.
  public enum VerboseLevel: Int, Sendable, CaseIterable {
    case off, errors, warnings, info, debug
    /// Everything, as networking 1.3 names it.
    case all
  }

  private struct Settings {
    var level = VerboseLevel.warnings
    var limit: Int? = 12_000
    var delegate = WeakDelegate(delegate: nil)
    var logsTraffic = true
  }

  private struct WeakDelegate: Sendable {
    weak let delegate: (any WPNLoggerDelegate)?
  }

  private static let settings = Guarded(Settings())

  /// How much is said.
  public static var verboseLevel: VerboseLevel {
    get { settings.withLock { $0.level } }
    set { settings.withLock { $0.level = newValue } }
  }

  /// Longer messages are cut; nil for no limit.
  public static var characterLimit: Int? {
    get { settings.withLock { $0.limit } }
    set { settings.withLock { $0.limit = newValue } }
  }

  /// Has no effect: headers and bodies are secret or personal, and are never in a message.
  public static var logHttpTraffic: Bool {
    get { settings.withLock { $0.logsTraffic } }
    set { settings.withLock { $0.logsTraffic = newValue } }
  }

  /// Who gets the messages in place of the standard error stream. Not kept alive.
  public static var delegate: (any WPNLoggerDelegate)? {
    get { settings.withLock { $0.delegate.delegate } }
    set { settings.withLock { $0.delegate = WeakDelegate(delegate: newValue) } }
  }

  /// A call that failed, unless it was cancelled.
  static func log(_ failure: WPNError) {
    if failure.reason != .canceled { log(.error, failure.description) }
  }

  static func log(_ level: WPNLogLevel, _ message: @autoclosure () -> String) {
    let (chosen, limit, delegate) = settings.withLock { ($0.level, $0.limit, $0.delegate.delegate) }
    guard chosen.rawValue >= level.least.rawValue || delegate?.wpnFollowVerboseLevel == false else { return }
    let text = limit.map { String(message().prefix(max($0, 0))) } ?? message()
    if let delegate {
      delegate.wpnLog(message: text, logLevel: level)
    } else {
      try? FileHandle.standardError.write(contentsOf: Data("[WPN] \(text)\n".utf8))
    }
  }
}

extension WPNLogLevel {
  /// The lowest level that says it.
  fileprivate var least: WPNLogger.VerboseLevel {
    switch self {
    case .error: .errors
    case .warning: .warnings
    case .info: .info
    case .debug: .debug
    }
  }
}
