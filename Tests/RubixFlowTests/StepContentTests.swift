// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: the body of a step", .storeless)
struct StepContentTests {
  @Test("a body that was taken is kept no longer, so that a picture waits for its reading alone (issue 24)")
  func taken() {
    let content = StepContent(RequestContent(bytes: Data("{}".utf8)))
    #expect(content.body.bytes == Data("{}".utf8))
    #expect(content.take().bytes == Data("{}".utf8))
    #expect(content.body.bytes.isEmpty)
    #expect(content.take().bytes.isEmpty)
  }
}
