// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// How much a message matters.
public enum WDOLogLevel: Sendable, CaseIterable {
  case debug, info, warning, error
}

/// Sees what the module says about its work. The members are the published ones; an app implements `wdoLog`.
public protocol WDOLoggerDelegate: AnyObject, Sendable {
  /// Whether it sees only what `verboseLevel` lets through, which is so unless it says otherwise.
  var wdoFollowVerboseLevel: Bool { get }
  /// Called on any thread.
  func wdoLog(message: String, logLevel: WDOLogLevel)
  /// The same as earlier versions of this package call it, on any thread.
  func logged(_ message: String, at level: WDOLogger.VerboseLevel)
}

extension WDOLoggerDelegate {
  public var wdoFollowVerboseLevel: Bool { true }
  public func wdoLog(message: String, logLevel: WDOLogLevel) {}
  public func logged(_ message: String, at level: WDOLogger.VerboseLevel) {}
}

/// What the module says about its work, for developers: words and codes, nothing personal, no secret, no address.
public enum WDOLogger {
  /// How much is said; each level says what those before it say.
  public enum VerboseLevel: Int, Sendable, CaseIterable {
    case off, errors, warnings, info, debug
    case all
  }

  private struct Settings {
    var level = VerboseLevel.warnings
    var limit: Int? = 12_000
    var delegate = WeakDelegate(delegate: nil)
  }

  private struct WeakDelegate: Sendable {
    weak let delegate: (any WDOLoggerDelegate)?
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

  /// Who gets the messages in place of the standard error stream. Not kept alive.
  public static var delegate: (any WDOLoggerDelegate)? {
    get { settings.withLock { $0.delegate.delegate } }
    set { settings.withLock { $0.delegate = WeakDelegate(delegate: newValue) } }
  }

  static func log(_ level: WDOLogLevel, _ message: @autoclosure () -> String) {
    let (chosen, limit, delegate) = settings.withLock { ($0.level, $0.limit, $0.delegate.delegate) }
    guard chosen.rawValue >= level.least.rawValue || delegate?.wdoFollowVerboseLevel == false else { return }
    let text = limit.map { String(message().prefix(max($0, 0))) } ?? message()
    if let delegate {
      delegate.wdoLog(message: text, logLevel: level)
      delegate.logged(text, at: level.least)
    } else {
      try? FileHandle.standardError.write(contentsOf: Data("[WDO] \(text)\n".utf8))
    }
  }
}

extension WDOLogLevel {
  /// The lowest level that says it.
  fileprivate var least: WDOLogger.VerboseLevel {
    switch self {
    case .error: .errors
    case .warning: .warnings
    case .info: .info
    case .debug: .debug
    }
  }
}
