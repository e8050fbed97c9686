// SPDX-License-Identifier: Apache-2.0

import Kit

/// Lines of the audit log, the newest first.
struct AuditLogPage: ConsolePage {
  static var template: [UInt8] { PackageResources.AuditLogPage_mustache }

  struct Row {
    let at: Moment
    let action: String
    let actor: String
    let chain: String
    /// The search for all lines of its chain.
    let href: String
    let sequence: Count
    let facts: [String]
    let assurance: Phrase
    /// How it is coloured.
    let tone: String
  }

  let subject: String
  let actor: String
  let action: String
  let from: String
  let to: String
  let rows: [Row]
  let hasRows: Bool
  /// Where the next page is; nil at the end.
  let older: String?
  let csv: String
  let csvLabel = Phrase("audit_export", ["count": PageTexts.current.text(AuditSearch.exportMax)])
  let checkpoint: Phrase
  /// How the one chain that was looked for stands; nil for a search of all.
  let chain: Phrase?
  let chainTone: String
  let foot: StaffFooter

  init(_ page: AuditPage, _ form: AuditForm, for visit: StaffVisit) {
    (subject, actor, action, from, to) = (form.subject, form.actor, form.action, form.from, form.to)
    rows = page.findings.map { finding in
      let line = finding.line
      return Row(
        at: Moment(line.at), action: line.action, actor: line.actor, chain: line.chain,
        href: "\(AuditRoutes.base)?subject=\(AuditForm.encoded(line.chain))", sequence: Count(line.sequence),
        facts: finding.isCut
          ? [Phrase("audit_cut").text] : line.facts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" },
        assurance: Phrase("audit_line_\(finding.assurance.rawValue)"),
        tone: finding.assurance == .broken ? "bad" : finding.assurance == .anchored ? "good" : "open")
    }
    hasRows = !rows.isEmpty
    older = page.next.map { form.address(AuditRoutes.base, after: $0) }
    csv = form.address("\(AuditRoutes.base)/export")
    checkpoint =
      page.checkpoint.map {
        Phrase(
          "audit_checkpoint",
          ["number": PageTexts.current.text($0.number), "time": PageTexts.current.text($0.at, by: visit.clock)])
      } ?? Phrase("audit_checkpoint_none")
    (chain, chainTone) = page.chain.map { Self.shown($0.state) } ?? (nil, "")
    foot = StaffFooter(visit)
  }

  private static func shown(_ state: AuditChainState) -> (Phrase, String) {
    func counts(_ lines: Int, _ anchored: Int) -> [String: String] {
      ["lines": PageTexts.current.text(lines), "anchored": PageTexts.current.text(anchored)]
    }
    return switch state {
    case .whole(0, _): (Phrase("audit_chain_none"), "open")
    case .whole(let lines, let anchored): (Phrase("audit_chain_whole", counts(lines, anchored)), "good")
    case .long(let lines, let anchored): (Phrase("audit_chain_long", counts(lines, anchored)), "open")
    case .broken(let fault): (Phrase("audit_chain_broken", ["fault": fault]), "bad")
    }
  }
}
