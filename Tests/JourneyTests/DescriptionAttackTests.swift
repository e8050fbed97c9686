// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
  "Journey: schemathesis calls everything that the API describes, with every role's credentials", .storeless,
  .enabled(
    if: ServedProcess.program != nil && AttackScript.isReady, "\(ServedProcess.missing); \(AttackScript.missing)"))
struct DescriptionAttackTests {
  /// Operations of which no call was answered 2xx or 3xx in the short form, at most: values by chance differ.
  private static let neverMax = 380

  /// The short form; the long one is `make attack-api`.
  @Test("no answer is a 5xx, and none has a status, a type, a header or a body that the document does not have")
  func short() throws {
    let folder = try TestFolder()
    let program = try #require(ServedProcess.program)
    let run = try AttackScript.run(["--short", "--gatehouse", program.path, "--report", folder.file("report")])
    #expect(run.findings == "")
    // A signal that ended it is its status, too.
    try #require(run.status == 0, "\(run.findings) \(run.said)")
    let table = try String(contentsOfFile: folder.file("report/never.tsv"), encoding: .utf8)
    let never = table.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "\t" } }
    // Of two calls each. What is behind the checks of these operations is not attacked: the number only goes down.
    #expect(never.count <= Self.neverMax)
    #expect(never.filter { $0.contains("/console/calendar") } == [])
  }
}
