// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Scheduling

/// An endpoint as people read it: no secret, and no query of its address, which may hold one of the receiver's.
struct WebhookEndpointView {
  let path: String
  let whose: String
  let address: String
  let events: String
  let state: Phrase
  /// How it is coloured: good, open or bad.
  let tone: String
  let waiting: Phrase
  let failed: Phrase
  let hasFailed: Bool

  init(_ report: Webhooks.EndpointReport, by clock: LocalTime?) {
    let (endpoint, counts) = (report.endpoint, report.status.counts)
    (path, whose) = ("\(WebhookRoutes.base)/\(endpoint.id)", endpoint.tenant.description)
    address = String(endpoint.url.prefix { $0 != "?" && $0 != "#" })
    events = endpoint.events == .all ? PageTexts.text("all_events") : endpoint.events.text.replacing(" ", with: ", ")
    if let since = endpoint.disabledAt {
      (state, tone) = (Phrase("disabled_since", ["time": since.shown(by: clock)]), "bad")
    } else if let until = report.status.restsUntil {
      (state, tone) = (Phrase("resting_until", ["time": until.shown(by: clock)]), "open")
    } else {
      (state, tone) = (Phrase("active"), "good")
    }
    let failures = counts[.failed] ?? 0
    waiting = Phrase("count_waiting", ["count": "\(counts[.pending] ?? 0)"])
    failed = Phrase("count_failed", ["count": "\(failures)"])
    hasFailed = failures > 0
  }
}

/// A delivery as people read it: no more of it than `gatehouse webhooks log` tells, and never its body.
struct WebhookDeliveryView {
  let href: String
  let type: String
  /// By which its receiver knows the message.
  let message: String
  let state: Phrase
  let mark: String
  let tries: Int
  /// How the last try ended.
  let last: String
  let created: String
  let tried: String?
  let due: String?

  init(_ delivery: WebhookDelivery, by clock: LocalTime?) {
    (href, type, message) = (WebhookDeliveryPage.path(delivery), delivery.type, delivery.name)
    switch delivery.state {
    case .pending: (state, mark) = (Phrase("delivery_waiting"), "open")
    case .delivered: (state, mark) = (Phrase("delivery_delivered"), "good")
    case .failed: (state, mark) = (Phrase("delivery_failed"), "bad")
    }
    tries = delivery.tries
    let words = [delivery.lastStatus.map { "HTTP \($0)" }, delivery.lastError].compactMap(\.self)
    last = words.isEmpty ? PageTexts.text("not_tried") : words.joined(separator: ", ")
    (created, tried) = (delivery.createdAt.shown(by: clock), delivery.triedAt?.shown(by: clock))
    due = delivery.dueAt?.shown(by: clock)
  }
}

extension Instant {
  /// For people, to the second and with the zone, as in `2026-11-21 06:00:00 UTC`.
  fileprivate func shown(by clock: LocalTime?) -> String {
    guard let clock, let local = clock.text(self), !["UTC", "GMT"].contains(clock.identifier) else {
      return rfc3339.replacing("T", with: " ").replacing("Z", with: " UTC")
    }
    return "\(local)\(rfc3339.dropFirst(16).prefix(3)) \(clock.identifier)"
  }
}
