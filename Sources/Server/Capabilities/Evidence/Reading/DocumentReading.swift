// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// All that was read from one image of a document. Regions are in pixels of the page unless they say otherwise.
package struct DocumentReading: Codable, Equatable, Sendable {
  /// What was asked for; nil when nothing was.
  package var expected: DocumentKind?
  /// What the image shows, by its own signs; nil when they are not enough.
  package var detected: DocumentKind?
  package var page: PageInfo
  package var mrz: MRZReading?
  package var visualZone: VisualZone?
  package var barcode: BarcodeReading?
  /// The code that the page's template describes; nil without one, and in readings from before this release.
  package var qr: QRReading?
  package var portrait: PortraitInfo?
  package var faces: FaceReport
  package var quality: ImageQuality
  /// True when the print took so much time that not all of it was read: what `visualZone` has is then not whole, and
  /// the picture has to be taken again. nil when all was read, and in readings from before this release.
  package var isPrintCut: Bool?
  package var checks: [EvidenceCheck]
  /// Why the reading cannot be used; nil when it can.
  package var failure: Failure?

  package struct PageInfo: Codable, Equatable, Sendable {
    package var width: Int
    package var height: Int
    /// False when neither an outline nor a zone that places the page inside the frame was found.
    package var outlined: Bool
    /// Corners in the canonical image, clockwise from the page's top left, as x, y; empty when not outlined.
    package var corners: [Double]
    /// Of the canonical image, in pixels; nil in readings of releases that did not keep it.
    package var imageWidth: Int?
    package var imageHeight: Int?

    enum CodingKeys: String, CodingKey {
      case width, height, outlined, corners
      case imageWidth = "image_width"
      case imageHeight = "image_height"
    }
  }

  package struct PortraitInfo: Codable, Equatable, Sendable {
    package var region: Region
    /// False when no face was seen and the place is the document's usual one.
    package var faceSeen: Bool

    enum CodingKeys: String, CodingKey {
      case region
      case faceSeen = "face_seen"
    }
  }

  /// Why the image must be taken again (rubix-onboarding §6.8).
  package struct Failure: Codable, Equatable, Sendable {
    package enum Code: String, Codable, Sendable {
      case documentUnreadable = "document-unreadable"
      case wrongDocumentType = "wrong-document-type"
    }

    /// A document of a kind that is not accepted.
    package enum Shown: String, Codable, Sendable {
      /// Of either size, MRV-A or MRV-B (9303-7).
      case visa = "VISA"
    }

    package var code: Code
    /// Fields that did not validate, by their wire names.
    package var fields: [String]
    /// What the picture shows instead; nil where that is not known, or is a kind that `detected` has.
    package var shows: Shown?

    package init(code: Code, fields: [String], shows: Shown? = nil) {
      self.code = code
      self.fields = fields
      self.shows = shows
    }
  }

  package func check(_ code: EvidenceCheck.Code) -> EvidenceCheck? { checks.first { $0.code == code } }

  enum CodingKeys: String, CodingKey {
    case expected, detected, page, mrz
    case visualZone = "visual_zone"
    case barcode, qr, portrait, faces, quality
    case isPrintCut = "print_cut"
    case checks, failure
  }
}

/// A reading with the pictures that belong to it.
package struct ReadDocument: Codable, Sendable {
  /// The canonical image: what is stored.
  package let image: EvidenceImage
  package let reading: DocumentReading
  /// The straightened, upright page, as JPEG.
  package let page: Data
  /// The portrait cut out of the page, as JPEG; nil when the document has none.
  package let portrait: Data?
  /// How long each stage took, in milliseconds by the clock: `decode`, `page`, `mrz`, and those that followed.
  package let timings: [String: Double]
  /// The same stages, in milliseconds of the processor.
  package let processor: [String: Double]
}
