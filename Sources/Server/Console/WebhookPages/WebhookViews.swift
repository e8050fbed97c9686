import Delivery
import Kit

/// An endpoint as people read it: no secret, and no query of its address, which may hold one of the receiver's.
struct WebhookEndpointView {
  let path: String
  let whose: String
  let address: String
  let events: String
  let standing: String
  /// How it is coloured: good, open or bad.
  let tone: String
  let waiting: Int
  let failed: Int
  let hasFailed: Bool

  init(_ outlook: Webhooks.Outlook) {
    let (endpoint, counts) = (outlook.endpoint, outlook.status.counts)
    (path, whose) = ("\(WebhookRoutes.base)/\(endpoint.id)", endpoint.tenant.description)
    address = String(endpoint.url.prefix { $0 != "?" && $0 != "#" })
    events = endpoint.events == .all ? "all events" : endpoint.events.text.replacing(" ", with: ", ")
    if let since = endpoint.disabledAt {
      (standing, tone) = ("disabled since \(since.shown)", "bad")
    } else if let until = outlook.status.restsUntil {
      (standing, tone) = ("resting until \(until.shown)", "open")
    } else {
      (standing, tone) = ("active", "good")
    }
    (waiting, failed) = (counts[.pending] ?? 0, counts[.failed] ?? 0)
    hasFailed = failed > 0
  }
}

/// A delivery as people read it: no more of it than `gatehouse webhooks log` tells, and never its body.
struct WebhookDeliveryView {
  let href: String
  let type: String
  /// By which its receiver knows the message.
  let message: String
  let state: String
  let mark: String
  let tries: Int
  /// How the last try ended.
  let last: String
  let created: String
  let tried: String?
  let due: String?

  init(_ delivery: WebhookDelivery) {
    (href, type, message) = (WebhookDeliveryPage.path(delivery), delivery.type, delivery.name)
    switch delivery.state {
    case .pending: (state, mark) = ("Waiting", "open")
    case .delivered: (state, mark) = ("Delivered", "good")
    case .failed: (state, mark) = ("Failed", "bad")
    }
    tries = delivery.tries
    let words = [delivery.lastStatus.map { "HTTP \($0)" }, delivery.lastError].compactMap(\.self)
    last = words.isEmpty ? "not tried yet" : words.joined(separator: ", ")
    (created, tried, due) = (delivery.createdAt.shown, delivery.triedAt?.shown, delivery.dueAt?.shown)
  }
}

extension Instant {
  /// For people, `2026-11-21 06:00:00 UTC`.
  fileprivate var shown: String { rfc3339.replacing("T", with: " ").replacing("Z", with: " UTC") }
}
