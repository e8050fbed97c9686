// SPDX-License-Identifier: Apache-2.0

import HTTP
import TestSupport
import Testing

@Suite("Telemetry: what Prometheus reads", .storeless)
struct PrometheusTests {
  @Test("the page is in the text format 0.0.4")
  func page() {
    let counter = Counter("a_total", help: "Things.\nMany \\ of \"them\".", labels: ["kind"])
    counter.add(1, "b\"c\\d\ne")
    counter.add(2.5, "plain")
    let histogram = Histogram("h_seconds", help: "Time.", labels: ["route"], bounds: [0.1, 1])
    for value in [0.05, 0.1, 0.5, 7] { histogram.observe(value, "/x/{id}") }
    #expect(
      PrometheusText.page([histogram.family, counter.family, .single("z", help: "Zero.", .infinity)]) == #"""
        # HELP a_total Things.\nMany \\ of "them".
        # TYPE a_total counter
        a_total{kind="b\"c\\d\ne"} 1
        a_total{kind="plain"} 2.5
        # HELP h_seconds Time.
        # TYPE h_seconds histogram
        h_seconds_bucket{route="/x/{id}",le="0.1"} 2
        h_seconds_bucket{route="/x/{id}",le="1"} 3
        h_seconds_bucket{route="/x/{id}",le="+Inf"} 4
        h_seconds_sum{route="/x/{id}"} 7.65
        h_seconds_count{route="/x/{id}"} 4
        # HELP z Zero.
        # TYPE z gauge
        z +Inf

        """#)
    #expect(PrometheusText.contentType == "text/plain; version=0.0.4; charset=utf-8")
  }

  @Test("a counter without labels is there before it counts anything")
  func zero() {
    #expect(PrometheusText.page([Counter("a_total", help: "A.").family]).hasSuffix("\na_total 0\n"))
  }

  @Test("labels never make more series than the maximum: what comes later is counted together")
  func bounded() {
    let counter = Counter("a_total", help: "A.", labels: ["x", "y"])
    for number in 0..<12_000 { counter.add(1, String(number), "y") }
    let samples = counter.family.samples
    #expect(samples.count == 10_001)
    #expect(samples.map(\.value).reduce(0, +) == 12_000)
    #expect(PrometheusText.page([counter.family]).contains("a_total{x=\"other\",y=\"other\"} 2000\n"))
  }

  @Test("past the maximum a status is still told from another, until there are twice as many series")
  func kept() {
    let requests = RequestMetrics()
    func count(_ route: String, _ status: Int) {
      requests.began()
      requests.ended(method: "GET", route: route, status: status, after: .milliseconds(1), received: 0, sent: 0)
    }
    for number in 0..<10_000 { count("/\(number)", 200) }
    for _ in 0..<3 { count("/late", 500) }
    count("/late", 200)
    count("/7", 200)
    let page = PrometheusText.page(requests.families)
    #expect(page.contains(#"requests_total{method="GET",route="other",status="500"} 3"#))
    #expect(page.contains(#"requests_total{method="GET",route="other",status="200"} 1"#))
    #expect(page.contains(#"requests_total{method="GET",route="/7",status="200"} 2"#))

    let endless = Counter("a_total", help: "A.", labels: ["x", "y"], kept: ["y"])
    for number in 0..<30_000 { endless.add(1, "x\(number)", "y\(number)") }
    #expect(endless.family.samples.count == 20_001)
  }

  @Test("counting from many tasks at once loses nothing")
  func race() async {
    let (counter, histogram) = (
      Counter("a_total", help: "A.", labels: ["x"]), Histogram("h", help: "H.", labels: ["x"])
    )
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counter.add(1, String(task % 2))
            histogram.observe(0.01, String(task % 2))
          }
        }
      }
    }
    #expect(counter.family.samples.map(\.value) == [4000, 4000])
    #expect(histogram.family.samples.filter { $0.suffix == "_count" }.map(\.value) == [4000, 4000])
  }

  @Test("whatever a label's value is, a line stays a line and reads back as it was", arguments: UInt64(1)...4)
  func fuzz(seed: UInt64) throws {
    var randomness = SeededGenerator(seed: seed)
    let alphabet: [Character] = ["a", "\"", "\\", "\n", "}", "{", ",", "=", " ", "é", "😀", "\r"]
    for _ in 0..<500 {
      let length = Int.random(in: 0...12, using: &randomness)
      let value = String((0..<length).map { _ in alphabet.randomElement(using: &randomness) ?? "a" })
      let counter = Counter("a_total", help: "A.", labels: ["x"])
      counter.add(1, value)
      let page = PrometheusText.page([counter.family])
      let line = try #require(page.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).first)
      #expect(line.hasPrefix("a_total{x=\"") && line.hasSuffix("\"} 1"))
      let written = line.dropFirst(#"a_total{x=""#.count).dropLast(4)
      #expect(Self.read(written) == value)
    }
  }

  /// Takes the escapes out again.
  private static func read(_ text: Substring) -> String {
    var (value, isEscaped) = (String.UnicodeScalarView(), false)
    for scalar in text.unicodeScalars {
      if isEscaped {
        value.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        value.append(scalar)
      }
    }
    return String(value)
  }
}
