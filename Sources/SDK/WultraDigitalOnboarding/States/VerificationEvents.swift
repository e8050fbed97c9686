internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import WultraPowerAuthNetworking

/// The server's events of a verification, over one connection at a time, which is picked up where it broke.
actor VerificationEvents {
  enum Outcome: Sendable, Equatable {
    /// The newest of what came.
    case news(Wultra.IdentityNews)
    /// The connection broke, or there was none. It is tried again, after a wait.
    case lost
    /// The server refuses this device.
    case refused
    /// There are no events here.
    case unavailable
    /// The task was cancelled; nothing is lost by it.
    case cancelled
  }

  /// Seconds. The server says something every fifteen.
  private static let silenceMax: TimeInterval = 45
  /// Times the longest wait of the policy.
  private static let delayFactorMax = 8

  private let networking: WPNNetworkingService
  private let policy: WDOPollingPolicy
  private var body: TransportBody?
  private var reader = ServerSentEventReader()
  /// In a row, without any news.
  private var losses = 0
  /// By the clock's uptime; nil when nothing has to be waited for.
  private var retryAt: Duration?

  init(networking: WPNNetworkingService, policy: WDOPollingPolicy) {
    self.networking = networking
    self.policy = policy
  }

  private var clock: ClientClock { networking.powerAuth.platform?.clock ?? .live }

  /// What comes next. One reader at a time.
  func next() async -> Outcome {
    if body == nil, let refusal = await connect() { return refusal }
    while let body {
      do {
        guard let part = try await body.next() else { return lose() }
        let events = try reader.read(part)
        guard let event = events.last(where: { $0.kind == "verification" }) else { continue }
        losses = 0
        return (try? WireJSON.decode(Wultra.IdentityNews.self, from: Data(event.data.utf8))).map { .news($0) }
          ?? .unavailable
      } catch {
        return Task.isCancelled ? .cancelled : lose()
      }
    }
    return .lost
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

  private func lose() -> Outcome {
    body = nil
    losses += 1
    let delay = policy.delayFirst * (1 << min(losses - 1, 16))
    retryAt = clock.uptime() + min(delay, policy.delayMax * Self.delayFactorMax)
    return .lost
  }
}
