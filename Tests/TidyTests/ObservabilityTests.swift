// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The files of `packaging/observability`, compared with what the server measures, and checked by Prometheus' own tool.
@Suite("Tidy: alerts and dashboards")
struct ObservabilityTests {
  private static let folder = "packaging/observability"
  private static let metrics = MetricDeclarations(
    Repository.sources.filter { $0.isBelow("Sources/Server") }.map(\.text).joined(separator: "\n"))

  private struct Dashboard: Decodable {
    struct Panel: Decodable {
      struct Target: Decodable { let expr: String }
      let id: Int
      let title: String
      let targets: [Target]?
    }
    let uid: String
    let panels: [Panel]
  }

  private static func dashboards() throws -> [Dashboard] {
    try Repository.files.filter { $0.isBelow(folder) && $0.path.hasSuffix(".json") }
      .map { try JSONDecoder().decode(Dashboard.self, from: $0.bytes) }
  }

  private static func text(_ name: String) throws -> String { try #require(Repository.text("\(folder)/\(name)")) }

  /// Expressions of the alerts: on the line of `expr:`, or folded below it.
  private static func alertExpressions() throws -> [String] {
    var (expressions, isFolded): ([String], Bool) = ([], false)
    for line in try text("alerts.yml").split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("expr:") {
        let rest = line.dropFirst("expr:".count).trimmingCharacters(in: .whitespaces)
        isFolded = rest == ">"
        expressions.append(isFolded ? "" : rest)
      } else if isFolded {
        isFolded = line.wholeMatch(of: /[a-z]+:.*/) == nil
        if isFolded { expressions[expressions.count - 1] += " " + line }
      }
    }
    return expressions
  }

  private static func alertNames() throws -> [String] {
    try text("alerts.yml").matches(of: /- alert: (\w+)/).map { String($0.output.1) }
  }

  @Test("the metrics of the code are found, with their labels")
  func found() {
    #expect(Self.metrics.labels.count > 40)
    #expect(Self.metrics.labels["gatehouse_outbox_effects"] == ["topic", "state", "attempts"])
    #expect(Self.metrics.labels["gatehouse_outbox_lag_seconds"] == [])
    #expect(Self.metrics.labels["gatehouse_http_request_duration_seconds_bucket"] == ["method", "route", "le"])
    #expect(Self.metrics.labels["gatehouse_http_request_duration_seconds"] == nil, "a histogram has no such series")
    #expect(Self.metrics.labels["gatehouse_job_runs_total"] == ["exported_job", "outcome"])
  }

  @Test("an alert or a panel asks only for metrics and labels that the server has")
  func named() throws {
    let panels = try Self.dashboards().flatMap(\.panels).flatMap { $0.targets ?? [] }.map(\.expr)
    let alerts = try Self.alertExpressions()
    #expect(try alerts.count == Self.alertNames().count && alerts.count > 15)
    #expect(panels.count > 40)
    for expression in alerts + panels {
      for finding in Self.metrics.findings(in: expression) { Issue.record("\(finding) in: \(expression)") }
    }
  }

  @Test("what the server does not have is found")
  func samples() {
    let metrics = MetricDeclarations(
      #"Counter("gatehouse_a_total", help: "A", labels: ["job"]) .single("gatehouse_b", help: "B", 1)"#)
    #expect(metrics.findings(in: "sum by (exported_job) (rate(gatehouse_a_total{instance=\"x\"}[5m])) > 1e3").isEmpty)
    #expect(metrics.findings(in: "gatehouse_a > 0") == ["gatehouse_a"])
    #expect(metrics.findings(in: "sum(gatehouse_b) by (exported_job)") == ["exported_job"])
    #expect(metrics.findings(in: "gatehouse_b{state=\"x\"} == bool 0") == ["state"])
    #expect(metrics.findings(in: "gatehouse_a_total{job=\"x\"} or up").isEmpty, "the scrape job's own label")
  }

  @Test("every metric of the server is on a dashboard, and no two have one uid")
  func shown() throws {
    let dashboards = try Self.dashboards()
    for board in dashboards { #expect(Set(board.panels.map(\.id)).count == board.panels.count, "\(board.uid)") }
    #expect(Set(dashboards.map(\.uid)).count == dashboards.count && dashboards.count == 2)
    let shown = dashboards.flatMap(\.panels).flatMap { $0.targets ?? [] }.flatMap { Self.metrics.names(in: $0.expr) }
    let (bases, declared) = (Set(shown.map(Self.metrics.base)), Set(Self.metrics.labels.keys.map(Self.metrics.base)))
    #expect(declared.subtracting(bases).isEmpty, "on no dashboard")
  }

  @Test("every alert has a row in the document, with its severity, and a test")
  func documented() throws {
    let document = try #require(Repository.text("docs/observability.md"))
    let severities = try Self.text("alerts.yml").matches(of: /severity: (\w+)/).map { String($0.output.1) }
    let (names, tests) = (try Self.alertNames(), try Self.text("alerts.test.yml"))
    #expect(severities.count == names.count && Set(names).count == names.count)
    for (name, severity) in zip(names, severities) {
      #expect(document.contains("| `\(name)` | \(severity) | "), "\(name)")
      #expect(tests.contains("- {alertname: \(name), eval_time: "), "\(name) has no time at which it is quiet")
      #expect(tests.contains("- alertname: \(name)\n"), "\(name) has no time at which it fires")
    }
    let rows = document.matches(of: /\n\| `(Gatehouse\w+)` \|/).map { String($0.output.1) }
    #expect(Set(rows) == Set(names) && rows.count == names.count)
    #expect(document.contains("Prometheus: \(names.count) alerts"))
  }

  @Test(
    "promtool accepts the alerts and the panels' expressions, and each alert is quiet and fires when its test says",
    .enabled(if: Promtool.path != nil, "promtool is not installed: it is in Debian's package prometheus"))
  func promtool() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "promtool-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["alerts.yml", "alerts.test.yml"] {
      try Self.text(name).write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    // A panel's expression is checked as a rule that records it; JSON's strings are YAML's too.
    let expressions = try Self.dashboards().flatMap(\.panels).flatMap { $0.targets ?? [] }
      .map { $0.expr.replacing("$__rate_interval", with: "5m") }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let rules = try expressions.enumerated().map { index, expression in
      let quoted = String(decoding: try encoder.encode(expression), as: UTF8.self)
      return "      - {record: \"panel:\(index)\", expr: \(quoted)}"
    }
    try "groups:\n  - name: panels\n    rules:\n\(rules.joined(separator: "\n"))\n"
      .write(to: folder.appending(path: "panels.yml"), atomically: true, encoding: .utf8)

    let checked = try Promtool.run(["check", "rules", "alerts.yml", "panels.yml"], in: folder)
    #expect(checked.status == 0, "\(checked.said)")
    #expect(checked.said.contains("\(expressions.count) rules found"), "\(checked.said)")
    let tested = try Promtool.run(["test", "rules", "alerts.test.yml"], in: folder)
    #expect(tested.status == 0, "\(tested.said)")
  }
}

/// Prometheus' own checker, where it is installed.
private enum Promtool {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/promtool" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  static func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, said: String) {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let said = Pipe()
    (process.standardOutput, process.standardError) = (said, said)
    try process.run()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
