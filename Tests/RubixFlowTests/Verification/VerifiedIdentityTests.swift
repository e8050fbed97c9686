// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Testing

@testable import Evidence
@testable import RubixFlow

@Suite("Rubix: whom the documents name", .storeless)
struct VerifiedIdentityTests {
  private static let region = Region(x: 0, y: 0, width: 0, height: 0)
  private static let payload =
    "@\n\u{1E}\rANSI 636000100101DL00310200DLDAQD12345678\nDCSSAMPLE\nDACMICHAEL\nDBB06061986\nDAJVA\nDCFX1\nDCGUSA\r"

  @Test(
    "the app's barcode names a customer only where no surname was read",
    arguments: [
      ("CASTELLANOS" as String?, nil as String?, nil as String?), ("CASTELLANOS", "1946-05-07", "CASTELLANOS"),
      (nil, nil, "SAMPLE"),
    ])
  func names(surname: String?, birth: String?, named: String?) throws {
    var texts: [VisualZone.Field: String] = [:]
    (texts[.surname], texts[.birthDate]) = (surname, birth)
    let reading = Self.reading(
      .drivingLicence,
      VisualZone(values: texts.mapValues { .init(text: $0, confidence: 0.95, region: Self.region) }),
      try BarcodeReading(payload: Self.payload, region: Self.region, source: .client))
    #expect(Applicant.Verified([.drivingLicence: reading], documents: [])?.familyName == named)
  }
  /// Of a passport.
  static let unreadable = reading(.passport, failure: .init(code: .documentUnreadable, fields: []))

  private static func reading(
    _ kind: Evidence.DocumentKind, _ zone: VisualZone? = nil, _ barcode: BarcodeReading? = nil,
    failure: DocumentReading.Failure? = nil
  ) -> DocumentReading {
    DocumentReading(
      expected: kind, detected: kind, page: .init(width: 1600, height: 1009, outlined: true, corners: []), mrz: nil,
      visualZone: zone, barcode: barcode, portrait: nil, faces: FaceReport(faces: [], detector: "haar"),
      quality: Evidence.ImageQuality(
        sharpness: 200, glare: 0, brightness: 128, blackShare: 0, whiteShare: 0, contrast: 50, colour: 10,
        subjectWidth: 1200, crop: .ok, tilt: 0, issues: []),
      checks: [], failure: failure)
  }
}
