// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@Suite("Tidy: how long a name server that does not answer is waited for", .storeless)
struct NameServerWaitTests {
  /// glibc asks each server once an attempt. Calls to others have eight seconds at least (docs/decisions/0293).
  @Test(
    "with one server no longer than half of a call's time, and an operator's own environment comes after it",
    arguments: ["packaging/deb/gatehouse.service", "packaging/deb/gatehouse-work.service", "Containerfile"])
  func bounded(file: String) throws {
    let text = try #require(Repository.text(file))
    let found = try #require(text.firstMatch(of: /RES_OPTIONS="?=?"?timeout:(\d+) attempts:(\d+)/))
    let (timeout, attempts) = (try #require(Int(found.1)), try #require(Int(found.2)))
    #expect(timeout > 0 && attempts > 1 && timeout * attempts <= 4)
    if let environment = text.firstRange(of: "EnvironmentFile=") {
      #expect(found.range.lowerBound < environment.lowerBound)
    }
  }
}
