// SPDX-License-Identifier: Apache-2.0

import Kit

/// What the figures of one flow say to people: its steps, how they were left, and how subjects ended.
struct FlowSummary {
  /// A flow whose figures are shown.
  struct Flow {
    /// As the mover names it.
    let name: String
    /// States that the institution wants its customers to reach; the other last ones are not.
    let good: Set<String>
  }

  /// The flows of the five systems, in the order of the page.
  static let flows = [
    Flow(name: "application", good: ["completed"]),
    Flow(name: "wultra-process", good: ["finished"]),
    Flow(name: "wultra-verification", good: ["COMPLETED/ACCEPTED"]),
    Flow(name: "wultra-document", good: []),
    Flow(name: "saltedge.connection", good: ["valid"]),
    Flow(name: "saltedge.authorization", good: ["confirmed"]),
    Flow(name: "oneassist.membership", good: ["APPROVED"]),
    Flow(name: "finaptic.application", good: ["Application Processed"]),
    Flow(name: "screening-case", good: []),
  ]

  /// The names of all of them: what `FlowFigures` counts.
  static var names: Set<String> { Set(flows.map(\.name)) }

  /// A way out of a step.
  struct Transition {
    let event: String
    let to: String
    let moves: Int
    /// Of all moves out of the step, 0 to 1.
    let share: Double
    /// Whether it leads to an end that the institution does not want.
    let isDrop: Bool
    /// Whether a check or a person said no, or could not say.
    let isFailure: Bool
  }

  struct Step {
    let name: String
    let entered: Int
    let left: Int
    /// Of those who left, 0 to 1: who ended there, unwanted.
    let dropped: Double
    /// How long they had been in it, where that is known.
    let time: Duration?
    let exits: [Transition]
  }

  let flow: Flow
  /// The busiest first.
  let steps: [Step]
  let wanted: Int
  let unwanted: Int
  /// Of those who ended, 0 to 1; nil where none did.
  var approval: Double? { wanted + unwanted > 0 ? Double(wanted) / Double(wanted + unwanted) : nil }

  init(_ flow: Flow, _ rows: [FlowFigures.Row]) {
    self.flow = flow
    let rows = rows.filter { $0.flow == flow.name && $0.from != $0.to }
    func ends(_ row: FlowFigures.Row) -> Bool { row.isLast && !flow.good.contains(row.to) && !flow.good.isEmpty }
    wanted = rows.filter { flow.good.contains($0.to) }.reduce(0) { $0 + $1.moves }
    unwanted = rows.filter(ends).reduce(0) { $0 + $1.moves }
    let names = Set(rows.map(\.from) + rows.map(\.to))
    steps = names.map { name in
      let out = rows.filter { $0.from == name }
      let left = out.reduce(0) { $0 + $1.moves }
      let timed = out.reduce(0) { $0 + $1.timed }
      func share(_ moves: Int) -> Double { left > 0 ? Double(moves) / Double(left) : 0 }
      return Step(
        name: name, entered: rows.filter { $0.to == name }.reduce(0) { $0 + $1.moves }, left: left,
        dropped: share(out.filter(ends).reduce(0) { $0 + $1.moves }),
        time: timed > 0 ? out.reduce(Duration.zero) { $0 + $1.time } / timed : nil,
        exits: out.sorted { ($1.moves, $0.event, $0.to) < ($0.moves, $1.event, $1.to) }.map { row in
          Transition(
            event: row.event, to: row.to, moves: row.moves, share: share(row.moves), isDrop: ends(row),
            isFailure: Self.isFailure(row.event))
        })
    }.sorted { (max($1.entered, $1.left), $0.name) < (max($0.entered, $0.left), $1.name) }
  }

  /// Events are past participles (`mismatched`, `presenceFailed`): these tell of a check that was not passed.
  private static func isFailure(_ event: String) -> Bool {
    let event = event.lowercased()
    let marks = ["fail", "reject", "refus", "mismatch", "exhaust", "denied", "hit", "undecid", "blacklist"]
    return marks.contains { event.contains($0) }
  }
}
