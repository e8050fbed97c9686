// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// Sees what the module says about its work.
public protocol WDOLoggerDelegate: AnyObject, Sendable {
  /// Called on any thread.
  func logged(_ message: String, at level: WDOLogger.VerboseLevel)
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
    var limit = 12_000
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

  /// Longer messages are cut.
  public static var characterLimit: Int {
    get { settings.withLock { $0.limit } }
    set { settings.withLock { $0.limit = newValue } }
  }

  /// Who gets the messages in place of the standard error stream. Not kept alive.
  public static var delegate: (any WDOLoggerDelegate)? {
    get { settings.withLock { $0.delegate.delegate } }
    set { settings.withLock { $0.delegate = WeakDelegate(delegate: newValue) } }
  }

  static func log(_ level: VerboseLevel, _ message: @autoclosure () -> String) {
    let (isWanted, limit, delegate) = settings.withLock { settings in
      (settings.level.rawValue >= level.rawValue, settings.limit, settings.delegate.delegate)
    }
    guard isWanted else { return }
    let text = String(message().prefix(max(limit, 0)))
    if let delegate {
      delegate.logged(text, at: level)
    } else {
      try? FileHandle.standardError.write(contentsOf: Data("[WDO] \(text)\n".utf8))
    }
  }
}
