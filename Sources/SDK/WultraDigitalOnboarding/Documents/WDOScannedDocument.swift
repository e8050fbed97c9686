// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A document that the user chose, and what the server has of it.
public final class WDOScannedDocument: Sendable {
  /// What came of a picture, or of a document's pictures together.
  public enum UploadState: Sendable, Hashable {
    case notUploaded
    /// Sent, and not refused so far.
    case accepted
    /// To be taken again.
    case rejected
  }

  /// One side that the server has.
  public struct Side: Sendable, Hashable {
    public let type: WDODocumentSide
    /// Names the picture that is there.
    public let serverId: String
    public let uploadState: UploadState
    /// What a person at the institution says about it, as it is; nil without words.
    public let words: String?
  }

  public let type: WDODocumentType
  /// What the server has; not necessarily every side of the document.
  public let sides: [Side]

  init(type: WDODocumentType, sides: [Side]) {
    self.type = type
    self.sides = sides
  }

  /// Refused when one of its pictures was; accepted as soon as there is one.
  public var uploadState: UploadState {
    if sides.isEmpty { return .notUploaded }
    return sides.contains { $0.uploadState == .rejected } ? .rejected : .accepted
  }

  /// A picture to be sent, in place of the one of that side that the server has, if any.
  public func createFileForUpload(side: WDODocumentSide, data: Data, dataSignature: String? = nil) -> WDODocumentFile {
    WDODocumentFile(scannedDocument: self, data: data, side: side, dataSignature: dataSignature)
  }
}
