// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import WultraPowerAuthNetworking
internal import WultraWire

/// The server's events of a verification, over one connection at a time, which is picked up where it broke.
actor VerificationEvents {
  enum Outcome: Sendable, Equatable {
    /// The newest of what came.
    case event(Wultra.IdentityEvent)
    /// The connection broke, or there was none. It is tried again, after a wait.
    case lost
    /// The first sign of life after a loss, without news.
    case found
    /// The server refuses this device.
    case refused
    /// There are no events here.
    case unavailable
    /// The task was cancelled; nothing is lost by it.
    case cancelled
  }

  /// Seconds. The server sends something every fifteen.
  private static let silenceMax: TimeInterval = 45
  /// Times the longest wait of the policy.
  private static let delayFactorMax = 8

  private let networking: WPNNetworkingService
  private let policy: WDOPollingPolicy
  private var body: TransportBody?
  private var reader = ServerSentEventReader()
  /// In a row, without any sign of life.
  private var losses = 0
  /// Whether anything came over this connection, be it a comment.
  private var isAlive = false
  /// By the clock's uptime; nil when nothing has to be waited for.
  private var retryAt: Duration?

  init(networking: WPNNetworkingService, policy: WDOPollingPolicy) {
    self.networking = networking
    self.policy = policy
  }

  private var clock: ClientClock { networking.powerAuth.platform?.clock ?? .live }

  /// What comes next. One reader at a time.
  ///
  /// Any part is a sign of life, a comment too. The server ends every connection in order after some minutes: that is
  /// no loss, unless nothing has come over it.
  func next() async -> Outcome {
    while true {
      if body == nil, let refusal = await connect() { return refusal }
      guard let body else { return .lost }
      do {
        guard let part = try await body.next() else {
          guard isAlive else { return lose() }
          end()
          continue
        }
        let events = try reader.read(part)
        let wasLost = losses > 0
        (losses, isAlive) = (0, true)
        if let event = events.last(where: { $0.kind == "verification" }) {
          return (try? WireJSON.decode(Wultra.IdentityEvent.self, from: Data(event.data.utf8))).map { .event($0) }
            ?? .unavailable
        }
        if wasLost { return .found }
      } catch {
        return Task.isCancelled ? .cancelled : lose()
      }
    }
  }

  /// - Returns: nil once there is a connection.
  private func connect() async -> Outcome? {
    if let retryAt, retryAt > clock.uptime() {
      do { try await clock.pause(for: retryAt - clock.uptime()) } catch { return .cancelled }
    }
    var headers = ["Accept": "text/event-stream"]
    if let id = reader.lastID { headers["Last-Event-ID"] = id }
    do throws(WPNError) {
      let stream = try await networking.open(
        Wultra.eventsPath, tokenName: Wultra.tokenName, signedWith: .possession(), with: headers,
        silenceMax: Self.silenceMax)
      guard let stream else { return .unavailable }
      switch stream.status {
      case 200 where stream.mediaType == "text/event-stream":
        body = stream.body
        isAlive = false
        reader = ServerSentEventReader(lastID: reader.lastID)
        return nil
      case 401, 403: return .refused
      case 429, 500...: return stream.status == 501 ? .unavailable : lose()
      default: return .unavailable
      }
    } catch {
      return Task.isCancelled ? .cancelled : lose()
    }
  }

  /// In order: taken up again after the shortest wait.
  private func end() {
    body = nil
    retryAt = clock.uptime() + policy.delayFirst
  }

  private func lose() -> Outcome {
    body = nil
    losses += 1
    let delay = policy.delayFirst * (1 << min(losses - 1, 16))
    retryAt = clock.uptime() + min(delay, policy.delayMax * Self.delayFactorMax)
    return .lost
  }
}
