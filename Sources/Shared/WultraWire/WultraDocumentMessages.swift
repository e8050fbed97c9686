// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Wultra {
  /// Sends pictures of documents (§4).
  public struct DocumentSubmission: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// A ZIP archive that holds every file which `documents` names; Base64 on the wire. Nil when all were uploaded.
    public var data: Data?
    /// Whether each picture takes the place of one that was sent before.
    public var resubmit: Bool
    /// What the pictures show.
    public var documents: [DocumentFile]

    /// Creates it.
    public init(processId: String, data: Data? = nil, resubmit: Bool, documents: [DocumentFile]) {
      self.processId = processId
      self.data = data
      self.resubmit = resubmit
      self.documents = documents
    }
  }

  /// One picture of a submission.
  public struct DocumentFile: Codable, Sendable, Equatable {
    /// Its whole name in the archive, folders included.
    public var filename: String
    /// Which document.
    public var type: DocumentType
    /// Which side.
    public var side: DocumentSide
    /// Which picture it replaces.
    public var originalDocumentId: String?
    /// Id of an upload, instead of a file in the archive.
    public var uploadId: String?

    /// Creates it.
    public init(
      filename: String, type: DocumentType, side: DocumentSide, originalDocumentId: String? = nil,
      uploadId: String? = nil
    ) {
      self.filename = filename
      self.type = type
      self.side = side
      self.originalDocumentId = originalDocumentId
      self.uploadId = uploadId
    }
  }

  /// Asks how pictures stand (§3 #8).
  public struct DocumentStatusRequest: Codable, Sendable, Equatable {
    /// Of the process; a UUID in lower case.
    public var processId: String
    /// Nil asks for every picture in use.
    public var filter: [DocumentReference]?

    /// Creates it.
    public init(processId: String, filter: [DocumentReference]? = nil) {
      self.processId = processId
      self.filter = filter
    }
  }

  /// Names a picture.
  public struct DocumentReference: Codable, Sendable, Equatable {
    /// As `DocumentState.id`.
    public var documentId: String

    /// Creates it.
    public init(documentId: String) {
      self.documentId = documentId
    }
  }

  /// How pictures stand.
  public struct DocumentStates: Codable, Sendable, Equatable {
    /// Of the phase; never `NOT_INITIALIZED`, which released apps do not read here.
    public var status: VerificationStatus
    /// Never missing.
    public var documents: [DocumentState]

    /// Creates it.
    public init(status: VerificationStatus, documents: [DocumentState]) {
      self.status = status
      self.documents = documents
    }
  }

  /// The error of a picture of which the reason is not told.
  public static let hiddenError = "Error verifying the document."

  /// How one picture stands (§3, `Doc`).
  public struct DocumentState: Codable, Sendable, Equatable {
    /// As it was submitted.
    public var filename: String
    /// Names it in a later submission.
    public var id: String
    /// Which document.
    public var type: DocumentType
    /// Never missing.
    public var side: DocumentSide
    /// How it stands.
    public var status: DocumentStatus
    /// Present when it has to be taken again: `Wultra.hiddenError`, or the words of the reviewer who asks for another
    /// one.
    public var errors: [String]?

    /// Creates it.
    public init(
      filename: String, id: String, type: DocumentType, side: DocumentSide, status: DocumentStatus,
      errors: [String]? = nil
    ) {
      self.filename = filename
      self.id = id
      self.type = type
      self.side = side
      self.status = status
      self.errors = errors
    }
  }

  /// A picture that was uploaded by itself (§3 #13).
  public struct DocumentUpload: Codable, Sendable, Equatable {
    /// Its name in the archive.
    public var filename: String
    /// For `DocumentFile.uploadId`.
    public var id: String

    /// Creates it.
    public init(filename: String, id: String) {
      self.filename = filename
      self.id = id
    }
  }
}
