// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: the log", .serialized)
struct LoggerTests {
  /// As an app of the published SDK writes it.
  private final class Published: WDOLoggerDelegate {
    let wdoFollowVerboseLevel: Bool
    let lines = Mutex<[String]>([])
    init(follows: Bool) { wdoFollowVerboseLevel = follows }

    func wdoLog(message: String, logLevel: WDOLogLevel) {
      lines.withLock { $0.append("\(logLevel) \(message)") }
    }
  }

  /// As an app of an earlier version of this package wrote it.
  private final class Earlier: WDOLoggerDelegate {
    let lines = Mutex<[String]>([])

    func logged(_ message: String, at level: WDOLogger.VerboseLevel) {
      lines.withLock { $0.append("\(level) \(message)") }
    }
  }

  /// Other suites' calls may log between.
  private func pages(_ lines: [String]) -> [String] { lines.filter { $0.contains("page") } }

  @Test("a delegate is told by the level and the limit, or of everything when it does not follow the level")
  func published() {
    defer {
      WDOLogger.delegate = nil
      (WDOLogger.verboseLevel, WDOLogger.characterLimit) = (.warnings, 12_000)
    }
    let log = Published(follows: true)
    WDOLogger.delegate = log
    WDOLogger.log(.error, "page 1")
    WDOLogger.log(.info, "page 2")
    WDOLogger.verboseLevel = .info
    WDOLogger.characterLimit = 5
    WDOLogger.log(.info, "page 3")
    WDOLogger.characterLimit = nil
    WDOLogger.verboseLevel = .off
    WDOLogger.log(.error, "page 4")
    #expect(pages(log.lines.withLock { $0 }) == ["error page 1", "info page "])
    let all = Published(follows: false)
    WDOLogger.delegate = all
    WDOLogger.log(.debug, "page 5")
    #expect(pages(all.lines.withLock { $0 }) == ["debug page 5"])
  }

  @Test("a delegate of an earlier version is told as before")
  func earlier() {
    defer { WDOLogger.delegate = nil }
    let log = Earlier()
    WDOLogger.delegate = log
    WDOLogger.log(.error, "page 6")
    WDOLogger.log(.info, "page 7")
    #expect(pages(log.lines.withLock { $0 }) == ["errors page 6"])
  }
}
