// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore

/// The QR code of a document, by the template of its kind. It is not signed: a forger of a document prints its code
/// too.
package struct QRReading: Codable, Equatable, Sendable {
  package let payload: String
  /// In pixels of the picture that it was read from: the page, or the canonical image.
  package let region: Region
  /// What the template finds in the payload; empty for a code that it does not describe.
  package let values: [VisualZone.Field: String]

  /// A larger code is not a document's.
  static let payloadMax = 4096

  enum CodingKeys: String, CodingKey {
    case payload, region
    case values = "fields"
  }

  package init(payload: String, region: Region, values: [VisualZone.Field: String]) {
    (self.payload, self.region, self.values) = (payload, region, values)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    payload = try container.decode(String.self, forKey: .payload)
    region = try container.decode(Region.self, forKey: .region)
    let texts = try container.decode([String: String].self, forKey: .values)
    // Fields that only a newer release knows are left out: both serve during an upgrade.
    values = texts.reduce(into: [:]) { values, text in
      if let field = VisualZone.Field(rawValue: text.key) { values[field] = text.value }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(payload, forKey: .payload)
    try container.encode(region, forKey: .region)
    try container.encode(
      Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }), forKey: .values)
  }

  /// The first code of a page, also where the page is too small to read it and the whole frame is not.
  /// - Returns: nil without one, for one that lies beside the document, and for one that is no text in UTF-8.
  static func read(_ template: VisualTemplate, page: Page, frame: Frame) throws -> QRReading? {
    guard let rule = template.qr else { return nil }
    for (picture, isPage) in page.outline == nil ? [(page.frame, true)] : [(page.frame, true), (frame, false)] {
      var (bytes, quad) = (cvision_bytes(), cvision_quad())
      let status = cvision_read_qr(picture.handle, &bytes, &quad)
      if status == CVISION_NOT_FOUND { continue }
      try CVisionFailure.check(status)
      defer { cvision_bytes_free(&bytes) }
      guard isPage || page.holds(Quad(quad)) else { return nil }
      let text = UnsafeBufferPointer(start: bytes.data, count: bytes.count)
      guard text.count <= payloadMax, let payload = String(validating: text, as: UTF8.self) else { return nil }
      return QRReading(
        payload: payload, region: Quad(quad).region, values: rule.values(of: payload, dates: template.dates))
    }
    return nil
  }
}

extension PrintedPerson {
  /// The fields that a code has. Its error correction leaves no doubt of them.
  init(qr: QRReading) {
    let region = qr.region
    let values = qr.values.mapValues { VisualZone.Value(text: $0, confidence: 1, region: region) }
    self.init(values: VisualZone(values: values), isPrint: false)
    // Words cannot be compared with a code.
    if let word = nationality, StateCode.kind(of: word) == .unknown { nationality = nil }
  }
}
