// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: what goes into an app", .storeless)
struct SDKKeyTests {
  @Test(
    "the path of a violation has Swift's names",
    arguments: [
      ("/first_name", "firstName"), ("/addresses/0/postal_code", "addresses[0].postalCode"), ("", ""),
      ("/credential/password", "credential.password"), ("/firstName", "firstName"), ("/line_1", "line1"),
    ])
  func path(pointer: String, path: String) { #expect(FinapticDialect.swiftPath(pointer) == path) }
}
