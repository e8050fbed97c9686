// SPDX-License-Identifier: Apache-2.0

import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what was read of a picture", .storeless)
struct ProcessedDocumentTests {
  @Test("a portrait has the id of its picture, under which its preview is asked for", arguments: [true, false])
  func portrait(isThere: Bool) {
    let id = "01a2260a-1c7f-797d-bbe3-d3187f601fcf"
    let image = RubixFlow.CapturedImage(
      id: .init(rawValue: id), application: .init(rawValue: "a"), session: .init(rawValue: "s"), type: .passport,
      subType: nil, state: .processed, width: 1000, height: 700, sha256: "00",
      quality: .init(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: true, hasPortrait: isThere,
      createdAt: Instant(milliseconds: 0))
    #expect(ProcessedDocument(image, VerifiedIdentityTests.unreadable).portraitID == (isThere ? id : nil))
  }
}
