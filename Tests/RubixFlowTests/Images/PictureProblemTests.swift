import Kit
import Testing

@testable import Evidence
@testable import RubixFlow

@Suite("Rubix: what a customer is told of a picture", .storeless)
struct PictureProblemTests {
  @Test("a visa is told as a visa, and what is another document as that")
  func visa() {
    let visa = Problem.failure(.init(code: .wrongDocumentType, fields: ["document_code"], shows: .visa))
    #expect(visa.code == "wrong-document-type")
    #expect(visa.detail.contains("visa"))
    let other = Problem.failure(.init(code: .wrongDocumentType, fields: ["document_code"]))
    #expect(!other.detail.contains("visa"))
  }

  @Test("a refusal for quality says what was measured and what it should be")
  func measured() {
    var quality = Evidence.ImageQuality(
      sharpness: 3, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
      subjectWidth: 1200, crop: .ok, tilt: 0, issues: [])
    quality.issues = [
      QualityIssue(.blurred, .fail, measured: 3.2, limit: 5),
      QualityIssue(.tooBright, .warn, measured: 210, limit: 200),
    ]
    let fields = Problem.imageQuality(quality).fields
    #expect(fields.map(\.code) == ["blurred"])
    #expect(fields.first?.message == "Hold still and let the camera focus. Measured 3.2, at least 5.")
  }
}
