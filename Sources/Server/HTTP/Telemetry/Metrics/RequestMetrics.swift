// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is counted of requests: by method, route pattern and status, never by path.
package final class RequestMetrics: Sendable {
  private let requests = Counter(
    "gatehouse_http_requests_total", help: "Requests answered.", labels: ["method", "route", "status"],
    kept: ["method", "status"])
  private let seconds = Histogram(
    "gatehouse_http_request_duration_seconds", help: "Time from a request's head to its answer.",
    labels: ["method", "route"])
  private let received = Counter(
    "gatehouse_http_request_bytes_total", help: "Bodies of requests, by their declared length.",
    labels: ["method", "route"])
  private let sent = Counter(
    "gatehouse_http_response_bytes_total", help: "Bodies of answers.", labels: ["method", "route"])
  private let inFlight = Atomic(0)

  package init() {}

  package func began() { inFlight.add(1, ordering: .relaxed) }

  package func ended(
    method: String, route: String, status: Int, after time: Duration, received bytesIn: Int, sent bytesOut: Int
  ) {
    inFlight.subtract(1, ordering: .relaxed)
    requests.add(1, method, route, String(status))
    seconds.observe(time.inSeconds, method, route)
    if bytesIn > 0 { received.add(Double(bytesIn), method, route) }
    if bytesOut > 0 { sent.add(Double(bytesOut), method, route) }
  }

  package var families: [MetricFamily] {
    [
      requests.family, seconds.family, received.family, sent.family,
      .single(
        "gatehouse_http_requests_in_flight", help: "Requests being answered.",
        Double(inFlight.load(ordering: .relaxed))),
    ]
  }
}
