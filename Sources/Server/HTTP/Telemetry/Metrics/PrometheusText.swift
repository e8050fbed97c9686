// SPDX-License-Identifier: Apache-2.0

/// Prometheus' text exposition format, version 0.0.4: one `# HELP` and one `# TYPE` line a metric, then its series.
package enum PrometheusText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package static func page(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families.sorted(by: { $0.name < $1.name }) {
      text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += "\(family.name)\(sample.suffix)\(labels(sample.labels)) \(number(sample.value))\n"
      }
    }
    return text
  }

  private static func labels(_ labels: [MetricFamily.Label]) -> String {
    guard !labels.isEmpty else { return "" }
    return "{" + labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
  }

  /// Backslash and line feed are escaped everywhere, the double quote in label values.
  static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// As Go parses it; whole numbers without a fraction.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }
}
