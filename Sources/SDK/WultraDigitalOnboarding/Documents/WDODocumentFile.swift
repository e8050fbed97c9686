// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A picture of one side of a document, to be sent with `WDOVerificationService.documentsSubmit`.
///
/// Two are equal when they show the same side of the same document: one request holds one picture of each.
public final class WDODocumentFile {
  /// The picture: JPEG, some hundred kilobytes, 1 MB at most.
  public var data: Data
  /// A signature by the scanning library. It stays on the device: no server takes one.
  public var dataSignature: String?
  public let type: WDODocumentType
  public let side: WDODocumentSide
  /// Which picture it replaces, as the server calls it; nil for the first one of a side.
  public let originalDocumentId: String?

  /// - Parameters:
  ///   - data: the picture.
  ///   - originalDocumentId: of the picture that the server did not take, when this one is sent in its place.
  ///   - dataSignature: by the scanning library, if it gives one.
  public init(
    data: Data, type: WDODocumentType, side: WDODocumentSide, originalDocumentId: String?, dataSignature: String? = nil
  ) {
    self.data = data
    self.dataSignature = dataSignature
    self.type = type
    self.side = side
    self.originalDocumentId = originalDocumentId
  }

  /// A picture of a selected document, in place of the one of that side that the server knows, if any.
  public convenience init(
    scannedDocument: WDOScannedDocument, data: Data, side: WDODocumentSide, dataSignature: String? = nil
  ) {
    self.init(
      data: data, type: scannedDocument.type, side: side,
      originalDocumentId: scannedDocument.sides.first { $0.type == side }?.serverId, dataSignature: dataSignature)
  }

  /// Its name in the archive.
  var fileName: String { "\(type.rawValue)_\(side.rawValue).jpg".lowercased() }
}

extension WDODocumentFile: Hashable {
  public static func == (left: WDODocumentFile, right: WDODocumentFile) -> Bool { left.fileName == right.fileName }

  public func hash(into hasher: inout Hasher) { hasher.combine(fileName) }
}

/// A picture at the moment when it is handed in.
struct DocumentPicture: Sendable {
  let fileName: String
  let data: Data
  let type: WDODocumentType
  let side: WDODocumentSide
  let originalDocumentId: String?

  init(_ file: WDODocumentFile) {
    fileName = file.fileName
    data = file.data
    type = file.type
    side = file.side
    originalDocumentId = file.originalDocumentId
  }
}
