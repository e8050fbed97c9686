// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
  "Journey: schemathesis calls everything that the API describes, with every role's credentials", .storeless,
  .enabled(
    if: ServedProcess.program != nil && AttackScript.isReady, "\(ServedProcess.missing); \(AttackScript.missing)"))
struct DescriptionAttackTests {
  /// The short form; the long one is `make attack-api`.
  @Test("no answer is a 5xx, and none has a status, a type, a header or a body that the document does not have")
  func short() throws {
    let folder = try TestFolder()
    let program = try #require(ServedProcess.program)
    let run = try AttackScript.run(["--short", "--gatehouse", program.path, "--report", folder.file("report")])
    #expect(run.findings == "")
    #expect(run.status == 0)
  }
}
