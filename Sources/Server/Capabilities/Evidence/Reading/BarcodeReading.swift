// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore

/// The PDF417 of a North American licence as read from an image (identity-documents §9).
package struct BarcodeReading: Equatable, Sendable {
  package let payload: String
  package let licence: AAMVA.Licence
  /// In pixels of the picture that it was read from: the canonical image, or the page.
  package let region: Region
  package let source: MRZReading.Source

  /// - Throws: `AAMVA.Failure` when the payload is not AAMVA's.
  package init(payload: String, region: Region, source: MRZReading.Source) throws(AAMVA.Failure) {
    self.payload = payload
    self.region = region
    self.source = source
    licence = try AAMVA.parse(payload)
  }

  /// - Parameter effort: what may still be searched of the picture that this is a copy of.
  /// - Returns: nil when the frame shows no symbol, or one that is not AAMVA's, and when searching it is too much.
  static func read(_ frame: Frame, _ effort: BarcodeEffort) throws -> BarcodeReading? {
    var bytes = cvision_bytes(), quad = cvision_quad()
    let status = cvision_read_pdf417(frame.handle, &effort.rows, &bytes, &quad)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    defer { cvision_bytes_free(&bytes) }
    // The standard's character set is ISO 8859-1, whose bytes are the first scalars of Unicode.
    var payload = ""
    for byte in UnsafeBufferPointer(start: bytes.data, count: bytes.count) {
      payload.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return try? BarcodeReading(payload: payload, region: Quad(quad).region, source: .zxing)
  }
}

extension BarcodeReading: Codable {
  private enum Key: String, CodingKey {
    case payload, region, source, number, surname
    case givenNames = "given_names"
    case birthDate = "birth_date"
    case expiryDate = "expiry_date"
    case issueDate = "issue_date"
    case sex, flags
    case issuerNumber = "issuer_number"
    case version
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(payload, forKey: .payload)
    try container.encode(region, forKey: .region)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(licence.number, forKey: .number)
    try container.encodeIfPresent(licence.name.family, forKey: .surname)
    try container.encodeIfPresent(givenNames, forKey: .givenNames)
    try container.encodeIfPresent(licence.birthDate, forKey: .birthDate)
    try container.encodeIfPresent(licence.expiryDate, forKey: .expiryDate)
    try container.encodeIfPresent(licence.issueDate, forKey: .issueDate)
    try container.encodeIfPresent(licence.sex, forKey: .sex)
    try container.encode(licence.flags, forKey: .flags)
    try container.encode(licence.issuerNumber, forKey: .issuerNumber)
    try container.encode(licence.version, forKey: .version)
  }

  /// Parses the payload again.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try self.init(
      payload: container.decode(String.self, forKey: .payload), region: container.decode(Region.self, forKey: .region),
      source: container.decode(MRZReading.Source.self, forKey: .source))
  }

  /// First and middle names.
  package var givenNames: String? {
    let names = [licence.name.first, licence.name.middle].compactMap(\.self).joined(separator: " ")
    return names.isEmpty ? nil : names
  }
}
