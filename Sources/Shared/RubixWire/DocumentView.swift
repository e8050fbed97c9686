// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A stored image (rubix-onboarding §6.7): answer of the uploads and of `GET /documents/{id}`.
public struct DocumentView: Codable, Sendable, Equatable {
  /// The image.
  public var id: String
  /// What it shows.
  public var type: DocumentType
  /// How far it has come.
  public var status: DocumentStatus
  /// `front` or `back`; nil for what has one side.
  @ExplicitNull public var side: String?
  /// Its size and digest.
  @ExplicitNull public var image: ImageFacts?
  /// What was measured.
  @ExplicitNull public var quality: ImageQuality?
  /// For type `LIVENESS`; left out otherwise.
  public var liveness: LivenessOutcome?
  /// When it was uploaded.
  public var createdOn: WireInstant

  /// Creates the value from its members.
  public init(
    id: String,
    type: DocumentType,
    status: DocumentStatus,
    side: String? = nil,
    image: ImageFacts? = nil,
    quality: ImageQuality? = nil,
    liveness: LivenessOutcome? = nil,
    createdOn: WireInstant
  ) {
    self.id = id
    self.type = type
    self.status = status
    self.side = side
    self.image = image
    self.quality = quality
    self.liveness = liveness
    self.createdOn = createdOn
  }

  enum CodingKeys: String, CodingKey {
    case id
    case type
    case status
    case side
    case image
    case quality
    case liveness
    case createdOn = "created_on"
  }
}

/// Size and digest of a stored image.
public struct ImageFacts: Codable, Sendable, Equatable {
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Of the file as uploaded, lower-case hexadecimal.
  public var sha256: String

  /// Creates the value from its members.
  public init(width: Int, height: Int, sha256: String) {
    self.width = width
    self.height = height
    self.sha256 = sha256
  }
}

/// A stored image inside an `OnboardingView` (rubix-onboarding §6.3).
public struct DocumentSummary: Codable, Sendable, Equatable {
  /// The image.
  public var id: String
  /// What it shows.
  public var type: DocumentType
  /// How far it has come.
  public var status: DocumentStatus

  /// Creates the value from its members.
  public init(id: String, type: DocumentType, status: DocumentStatus) {
    self.id = id
    self.type = type
    self.status = status
  }
}

/// Answer of `GET /documents` (rubix-onboarding §6.15).
public struct DocumentList: Codable, Sendable, Equatable {
  /// The images in force, oldest first.
  public var documents: [DocumentView]

  /// Creates the value from its members.
  public init(documents: [DocumentView]) {
    self.documents = documents
  }
}
