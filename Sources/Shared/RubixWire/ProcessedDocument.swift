// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What was read from an image: answer of `POST /documents/{kind}/process` (rubix-onboarding §6.8).
/// With status `PROCESSING` nothing is read yet: ask again after `Retry-After`.
public struct ProcessedDocument: Codable, Sendable, Equatable {
  /// The image.
  public var id: String
  /// What it shows.
  public var type: DocumentType
  /// `PROCESSED`, or `PROCESSING` while being read.
  public var status: DocumentStatus
  /// Machine readable zone: passport and back of the national id.
  @ExplicitNull public var mrz: MRZReading?
  /// Printed fields.
  @ExplicitNull public var visualZone: VisualZone?
  /// PDF417 of a driving licence; left out when it was not read.
  public var barcode: BarcodeReading?
  /// The portrait cut out of it.
  @ExplicitNull public var portraitID: String?
  /// What was checked, and how it came out.
  public var checks: [DocumentCheck]

  /// Creates the value from its members.
  public init(
    id: String,
    type: DocumentType,
    status: DocumentStatus,
    mrz: MRZReading? = nil,
    visualZone: VisualZone? = nil,
    barcode: BarcodeReading? = nil,
    portraitID: String? = nil,
    checks: [DocumentCheck] = []
  ) {
    self.id = id
    self.type = type
    self.status = status
    self.mrz = mrz
    self.visualZone = visualZone
    self.barcode = barcode
    self.portraitID = portraitID
    self.checks = checks
  }

  enum CodingKeys: String, CodingKey {
    case id
    case type
    case status
    case mrz
    case visualZone = "visual_zone"
    case barcode
    case portraitID = "portrait_id"
    case checks
  }
}
