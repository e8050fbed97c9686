// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

/// How customers go through the flows, drawn on the server: a chart, and the same as a table.
struct FiguresPage: ConsolePage {
  static var template: [UInt8] { PackageResources.FiguresPage_mustache }

  struct Choice {
    let code: String
    let label: Phrase
    let isOn: Bool
  }

  /// Whose figures can be seen by themselves.
  struct Institution {
    let code: String
    let isOn: Bool
  }

  /// A bar of a chart below its name, in user units. It begins where lines of the page's language do.
  struct Bar {
    let nameX: Int
    let nameY: Int
    let x: Int
    let y: Int
    let width: Int
    let dropX: Int
    /// The part of it that ended there, unwanted.
    let dropWidth: Int
    let name: Phrase
    let value: Count
    let valueX: Int
    let valueY: Int

    /// - Parameters:
    ///   - width: of the bar.
    ///   - drop: the part of it.
    init(_ index: Int, _ width: Int, drop: Int, name: Phrase, value: Count, isMirrored: Bool) {
      let top = index * FiguresPage.rowHeight
      func mirrored(_ x: Int, _ size: Int = 0) -> Int { isMirrored ? FiguresPage.chartWidth - x - size : x }
      (nameX, nameY, y, valueY) = (mirrored(0), top + 16, top + 22, top + 34)
      (x, self.width, dropX, dropWidth) = (mirrored(0, width), width, mirrored(0, drop), drop)
      (self.name, self.value, valueX) = (name, value, mirrored(width + 8))
    }
  }

  struct StepRow {
    let name: Phrase
    let entered: Count
    let left: Count
    let dropped: Percent
    /// None where it is not known.
    let times: [Phrase]
  }

  struct TransitionRow {
    let step: Phrase
    let event: String
    let to: Phrase
    let moves: Count
    let share: Percent
    let tone: String
  }

  struct Chart {
    let id: String
    let title: Phrase
    /// None before the first end.
    let approvals: [Phrase]
    let width = FiguresPage.chartWidth
    let height: Int
    /// How its texts run.
    let direction: String
    let bars: [Bar]
    let steps: [StepRow]
    let exits: [TransitionRow]
    let hasExits: Bool
  }

  struct Topic {
    let name: String
    let failing: Count
    let dead: Count
  }

  static let dayChoices = [7, 30, 90]
  /// Narrow enough for the words to be read on a phone.
  private static let (barsMax, rowHeight, chartWidth, barMax) = (20, 44, 440, 370)

  let charts: [Chart]
  let topics: [Topic]
  let hasTopics: Bool
  let days: [Choice]
  let tenants: [Institution]
  /// Whether all institutions can be chosen, and what other systems did not take is shown, which tells no institution.
  let seesAll: Bool
  let csv: String
  let foot: StaffFooter

  init(
    _ rows: [FlowFigures.Row], _ outbox: OutboxGauge, _ question: FiguresRoutes.Question, of tenants: [String],
    for visit: StaffVisit
  ) {
    charts = FlowSummary.flows.map { FlowSummary($0, rows) }.filter { !$0.steps.isEmpty }.enumerated().map {
      Self.chart($0.element, number: $0.offset)
    }
    let failing = outbox.groups.filter { $0.state == .failing }.reduce(into: [String: Int]()) {
      $0[$1.topic, default: 0] += $1.count
    }
    let dead = outbox.deadLetters
    topics = Set(failing.keys).union(dead.keys).sorted().map {
      Topic(name: $0, failing: Count(failing[$0] ?? 0), dead: Count(dead[$0] ?? 0))
    }
    hasTopics = !topics.isEmpty
    days = Self.dayChoices.map { Choice(code: "\($0)", label: Phrase("figures_days_\($0)"), isOn: $0 == question.days) }
    seesAll = question.seesAll
    self.tenants = tenants.map { Institution(code: $0, isOn: $0 == question.tenant) }
    let tenant = question.tenant.map { "&tenant=\(AuditForm.encoded($0))" } ?? ""
    (csv, foot) = ("\(FiguresRoutes.base)/export?days=\(question.days)\(tenant)", StaffFooter(visit))
  }

  private static func chart(_ summary: FlowSummary, number: Int) -> Chart {
    let (steps, direction) = (summary.steps.prefix(barsMax), Display.current.language.direction)
    let most = max(1, steps.map { max($0.entered, $0.left) }.max() ?? 1)
    let bars = steps.enumerated().map { index, step in
      let size = max(step.entered, step.left)
      let width = size * barMax / most
      return Bar(
        index, width, drop: Int((Double(width) * step.dropped).rounded()), name: state(step.name), value: Count(size),
        isMirrored: direction == "rtl")
    }
    let exits = summary.steps.flatMap { step in
      step.exits.map {
        TransitionRow(
          step: state(step.name), event: $0.event, to: state($0.to), moves: Count($0.moves), share: Percent($0.share),
          tone: $0.isDrop || $0.isFailure ? "bad" : "")
      }
    }
    return Chart(
      id: "figures-\(number)",
      title: Phrase("flow_" + summary.flow.name.replacing("-", with: "_").replacing(".", with: "_")),
      approvals: [summary.approval].compactMap(\.self).map {
        Phrase("figures_approval", ["share": Percent($0).renderText])
      },
      height: bars.count * rowHeight + 4, direction: direction, bars: bars,
      steps: summary.steps.map {
        StepRow(
          name: state($0.name), entered: Count($0.entered), left: Count($0.left), dropped: Percent($0.dropped),
          times: [$0.time].compactMap(\.self).map(Self.text))
      },
      exits: exits, hasExits: !exits.isEmpty)
  }

  /// A state in words; the name that the flow gives it where the catalogue has none.
  private static func state(_ name: String) -> Phrase {
    Phrase("state_" + name.lowercased().filter(\.isLetter), otherwise: name)
  }

  /// In the largest unit that it fills.
  private static func text(_ time: Duration) -> Phrase {
    let seconds = time.wholeSeconds
    let units = [("days_count", 86_400), ("hours", 3600), ("minutes", 60)]
    let (unit, size) = units.first { seconds >= 2 * $0.1 } ?? ("seconds", 1)
    return Phrase("figures_\(unit)", ["count": Count(seconds / size).renderText])
  }
}
