// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit

/// The endpoints of webhooks, each with its state and its last deliveries.
struct WebhookEndpointsPage: ConsolePage {
  static var template: [UInt8] { PackageResources.WebhookEndpointsPage_mustache }

  let rows: [WebhookEndpointView]
  /// How many are shown, where there may be more.
  let only: Phrase?
  let foot: StaffFooter

  init(_ reports: [Webhooks.EndpointReport], for visit: StaffVisit) {
    (rows, foot) = (reports.map { WebhookEndpointView($0, by: visit.clock) }, StaffFooter(visit))
    only = rows.count < Webhooks.listMax ? nil : Phrase("only_first", ["count": "\(rows.count)"])
  }
}

/// What one endpoint was sent, the newest first.
struct WebhookLogPage: ConsolePage {
  static var template: [UInt8] { PackageResources.WebhookLogPage_mustache }

  /// A choice of what is shown.
  struct Tab {
    let label: Phrase
    let href: String
    let isOpen: Bool
  }

  let endpoint: WebhookEndpointView
  let tabs: [Tab]
  let deliveries: [WebhookDeliveryView]
  /// Nil when this page is the first.
  let newest: String?
  /// Nil when this page is the last.
  let older: String?
  let foot: StaffFooter

  /// - Parameter found: one more than a page has says that there are older ones.
  init(
    _ report: Webhooks.EndpointReport, _ found: [WebhookDelivery], in state: WebhookDelivery.State?, isFirst: Bool,
    for visit: StaffVisit
  ) {
    endpoint = WebhookEndpointView(report, by: visit.clock)
    let shown = found.prefix(WebhookRoutes.pageLength)
    deliveries = shown.map { WebhookDeliveryView($0, by: visit.clock) }
    let (path, chosen) = (endpoint.path, state.map { "state=\($0.rawValue)" })
    let choices: [(WebhookDelivery.State?, String)] = [
      (nil, "all"), (.pending, "delivery_waiting"), (.failed, "delivery_failed"), (.delivered, "delivery_delivered"),
    ]
    tabs = choices.map { choice, label in
      Tab(label: Phrase(label), href: choice.map { "\(path)?state=\($0.rawValue)" } ?? path, isOpen: choice == state)
    }
    newest = isFirst ? nil : [path, chosen].compactMap(\.self).joined(separator: "?")
    let end = found.count > shown.count ? shown.last.map { WebhookLogStore.Cursor($0).text } : nil
    older = end.map { end in "\(path)?" + [chosen, "before=\(end)"].compactMap(\.self).joined(separator: "&") }
    foot = StaffFooter(visit)
  }
}

/// One message on its way to one endpoint, and the form that sends it again.
struct WebhookDeliveryPage: ConsolePage {
  static var template: [UInt8] { PackageResources.WebhookDeliveryPage_mustache }

  /// What sends it again.
  struct ResendForm {
    let action: String
    let csrf: String
    let turn: Int
  }

  let delivery: WebhookDeliveryView
  let endpoint: WebhookEndpointView
  /// What the reader should know about what they just did.
  let note: Phrase?
  /// Nil for those who may not, and while the endpoint is disabled.
  let again: ResendForm?
  let isDisabled: Bool
  let foot: StaffFooter

  init(_ delivery: WebhookDelivery, to report: Webhooks.EndpointReport, note: Phrase?, for visit: StaffVisit) {
    self.delivery = WebhookDeliveryView(delivery, by: visit.clock)
    endpoint = WebhookEndpointView(report, by: visit.clock)
    (self.note, foot, isDisabled) = (note, StaffFooter(visit), report.endpoint.disabledAt != nil)
    again =
      visit.mayRedeliver && !isDisabled
      ? ResendForm(action: "\(Self.path(delivery))/redeliver", csrf: visit.csrf, turn: delivery.turn) : nil
  }

  static func path(_ delivery: WebhookDelivery) -> String {
    "\(WebhookRoutes.base)/\(delivery.endpoint)/deliveries/\(delivery.id)"
  }
}
