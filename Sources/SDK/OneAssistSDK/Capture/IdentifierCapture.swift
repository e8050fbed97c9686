// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport

/// Gets the screenshot of the system's sheet of identifiers from the user (specification §5.1, §5.4).
struct IdentifierCapture: Sendable {
  /// After the user came back, for the screenshot to be there.
  static let returnMax = Duration.seconds(10)
  /// For the whole, leading the user to the identifiers included. Other calls of the app wait as long as this one.
  static let waitMax = Duration.seconds(600)

  let ports: ActivationPorts
  /// Whether the app may see chosen photos only.
  let isLimited: Bool

  private enum Signal: Sendable {
    case event(ScreenshotWatcher.Event)
    /// Whether the user was led to the identifiers.
    case opened(Bool)
    case waitedLongEnough, ended
  }

  /// Where the app may see chosen photos only, the user picks it after coming back.
  ///
  /// - Throws: 4003 for one that was taken while the screen is recorded; 4004 when none comes or is picked; 4005 when
  ///   it cannot be loaded; 4006 when the user cannot be led to the identifiers.
  func screenshot() async throws(OAError) -> Data {
    // What is older than this is of something else.
    let begin = ports.clock.wallTime()
    let events = await ports.screenshots.watch()
    let (signals, mouth) = AsyncStream.makeStream(of: Signal.self)
    // A system that never says that its sheet is shown holds this task, and not the call.
    let opening = Task { mouth.yield(.opened(await ports.sheet.open())) }
    let pump = Task {
      for await event in events { mouth.yield(.event(event)) }
      mouth.yield(.ended)
    }
    let clock = ports.clock
    let deadline = Task {
      guard (try? await clock.pause(for: Self.waitMax)) != nil else { return }
      mouth.yield(.waitedLongEnough)
    }
    var timer: Task<Void, Never>?
    var hasLeft = false
    defer {
      opening.cancel()
      pump.cancel()
      deadline.cancel()
      timer?.cancel()
      mouth.finish()
    }
    for await signal in signals {
      switch signal {
      case .opened(true): continue
      case .opened(false): throw .ERROR_UNABLE_TO_PROCESS_DESC
      case .event(.left):
        hasLeft = true
        timer?.cancel()
      // From the system's own question, which was asked before.
      case .event(.returned) where !hasLeft: continue
      case .event(.returned) where isLimited:
        guard let screenshot = await ports.screenshots.choose(), screenshot.takenAt >= begin else {
          throw .ERROR_SCREENSHOT_FETCH
        }
        return try await picture(of: screenshot)
      case .event(.returned):
        timer?.cancel()
        timer = Task {
          guard (try? await clock.pause(for: Self.returnMax)) != nil else { return }
          mouth.yield(.waitedLongEnough)
        }
      case .event(.taken(let screenshot)):
        if screenshot.takenAt < begin { continue }
        return try await picture(of: screenshot)
      case .event(.missing), .waitedLongEnough, .ended: throw .ERROR_SCREENSHOT_FETCH
      }
    }
    // The call was cancelled.
    throw .ERROR_UNABLE_TO_PROCESS_DESC
  }

  private func picture(of screenshot: Screenshot) async throws(OAError) -> Data {
    guard await !ports.capture.isCaptured() else { throw .ERROR_SCREEN_RECORDING }
    guard let picture = await screenshot.load(), !picture.isEmpty else { throw .ERROR_SCREENSHOT_LOAD }
    return picture
  }
}
