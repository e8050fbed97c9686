// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
  "Operations: a client that keeps to no rule of HTTP/2 and TLS", .storeless,
  .enabled(if: ServedProcess.program != nil && TestAuthority.isAvailable, "\(ServedProcess.missing); openssl"),
  .timeLimit(.minutes(10)))
struct SecureAttackTests {
  /// The probes; floods and stalls are `make attack-tls`.
  @Test("every malformed request, frame and handshake is refused as it has to be, and none is an error of ours")
  func probes() throws {
    let program = try #require(ServedProcess.program)
    // A debug program, or one under a sanitizer, holds more than the release of which the script bounds the memory.
    let run = try AttackScript.run(
      ["--only", "probes", "--memory", "4096", "--gatehouse", program.path], script: "attack-tls")
    #expect(run.findings.split(separator: "\n").filter { $0.contains("WRONG") } == [])
    #expect(run.findings.contains("a body without a length") && run.status == 0, "\(run.findings.suffix(1000))")
  }
}
