// SPDX-License-Identifier: Apache-2.0

/// The metrics that a source declares, by the names under which Prometheus has their series, and what an expression of
/// PromQL asks for.
struct MetricDeclarations {
  /// Labels by series. Prometheus renames a label `job` of ours, for its own has that name.
  let labels: [String: Set<String>]
  /// Series of histograms, by their suffixes.
  private let histograms: Set<String>

  init(_ source: String) {
    var (labels, histograms): ([String: Set<String>], Set<String>) = ([:], [])
    let declarations = source.matches(
      of: #/(Counter|Histogram|\.single|\.labelled)\(\s*"((?:gatehouse|process)_[a-z_]+)"/#)
    for (index, declaration) in declarations.enumerated() {
      let end = index + 1 < declarations.count ? declarations[index + 1].range.lowerBound : source.endIndex
      let (kind, name) = (declaration.output.1, String(declaration.output.2))
      // The labels follow the text of help; a `.single` has none.
      let call = source[declaration.range.upperBound..<end].prefix(300)
      let list = kind == ".single" ? nil : call.firstMatch(of: #/labels: \[([^\]]*)\]/#)?.output.1
      let own = Set(
        (list ?? "").matches(of: #/"(\w+)"/#).map { $0.output.1 == "job" ? "exported_job" : String($0.output.1) })
      guard kind == "Histogram" else {
        labels[name] = own
        continue
      }
      labels[name + "_bucket"] = own.union(["le"])
      for suffix in ["_sum", "_count"] { labels[name + suffix] = own }
      histograms.insert(name)
    }
    (self.labels, self.histograms) = (labels, histograms)
  }

  /// The name that the code gives a series.
  func base(_ series: String) -> String {
    for suffix in ["_bucket", "_sum", "_count"] where series.hasSuffix(suffix) {
      let name = String(series.dropLast(suffix.count))
      if histograms.contains(name) { return name }
    }
    return series
  }

  /// What a scrape adds to every series.
  private static let scraped: Set<String> = ["job", "instance"]
  private static let keywords: Set<String> = [
    "and", "or", "unless", "bool", "by", "without", "on", "ignoring", "group_left", "group_right", "offset",
  ]
  private static var grouping: Regex<(Substring, Substring)> {
    #/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/#
  }

  /// The series that an expression names: each word outside of texts, selectors, ranges and groupings that is no
  /// keyword, number or function.
  func names(in expression: String) -> [String] {
    let bare = expression.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "").replacing(#/\{[^}]*\}/#, with: "")
      .replacing(#/\[[^\]]*\]/#, with: "").replacing(Self.grouping, with: "")
    return bare.matches(of: #/\b([a-zA-Z_:][\w:]*)(\s*\()?/#).compactMap { match in
      let word = String(match.output.1)
      return match.output.2 != nil || Self.keywords.contains(word) ? nil : word
    }
  }

  /// Series and labels of an expression that do not exist.
  func findings(in expression: String) -> [String] {
    let series = names(in: expression).filter { $0 != "up" }
    let unknown = series.filter { labels[$0] == nil }
    guard unknown.isEmpty else { return unknown }
    let known = Self.scraped.union(series.flatMap { labels[$0] ?? [] })
    let selected = expression.matches(of: #/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/#).map { String($0.output.1) }
    let grouped = expression.matches(of: Self.grouping).flatMap {
      $0.output.1.split { !$0.isLetter && $0 != "_" }.map(String.init)
    }
    return (selected + grouped).filter { !known.contains($0) }
  }
}
