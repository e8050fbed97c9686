// SPDX-License-Identifier: Apache-2.0

import Kit
import Testing

@testable import Evidence
@testable import RubixFlow

@Suite("Rubix: what a customer is told of a picture", .storeless)
struct PictureProblemTests {
  private static let quality = Evidence.ImageQuality(
    sharpness: 3, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
    subjectWidth: 1200, crop: .ok, tilt: 0, issues: [])

  @Test("a visa is told as a visa, and what is another document as that")
  func visa() {
    let visa = Problem.failure(.init(code: .wrongDocumentType, fields: ["document_code"], shows: .visa), Self.quality)
    #expect(visa.code == "wrong-document-type")
    #expect(visa.detail.contains("visa"))
    let other = Problem.failure(.init(code: .wrongDocumentType, fields: ["document_code"]), Self.quality)
    #expect(!other.detail.contains("visa"))
  }

  @Test("who sent a picture that cannot be read is told what to do, and not what only agents see")
  func unreadable() {
    var quality = Self.quality
    let failure = DocumentReading.Failure(code: .documentUnreadable, fields: ["mrz"])
    quality.issues = [QualityIssue(.screenRecapture, .flag)]
    #expect(
      Problem.failure(failure, quality).detail
        == "The document could not be read. Show all of it, flat and from close by, in even light.")
    quality.issues.append(QualityIssue(.tilted, .warn))
    #expect(
      Problem.failure(failure, quality).detail
        == "The document could not be read. Hold the camera flat above the document.")
  }

  @Test("a refusal for quality says what was measured and what it should be")
  func measured() {
    var quality = Self.quality
    quality.issues = [
      QualityIssue(.blurred, .fail, measured: 3.2, limit: 5),
      QualityIssue(.tooBright, .warn, measured: 210, limit: 200),
    ]
    let fields = Problem.imageQuality(quality).fields
    #expect(fields.map(\.code) == ["blurred"])
    #expect(fields.first?.message == "Hold still and let the camera focus. Measured 3.2, at least 5.")
  }
}
