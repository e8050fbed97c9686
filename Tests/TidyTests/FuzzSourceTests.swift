// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Tidy: what is fuzzed")
struct FuzzSourceTests {
  /// A moved file, or a new one that others use, ended `make fuzz` before it began, and was noticed at the next release
  /// only.
  @Test("every source of a fuzz target is where scripts/fuzz looks for it, and every type that it uses is in one")
  func sources() throws {
    let (process, said) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", Repository.root.appending(path: "scripts/fuzz").path, "--check"]
    (process.standardOutput, process.standardError) = (said, said)
    try process.run()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
