// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Tidy: what is fuzzed")
struct FuzzSourceTests {
  /// A moved file, a new one that others use, or a new case of an error ended `make fuzz` before it began, and was
  /// noticed at the next long run only.
  @Test("every fuzz target compiles from the sources that scripts/fuzz names")
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
