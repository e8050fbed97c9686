// SPDX-License-Identifier: Apache-2.0

public import Foundation
import GatehouseWire

/// The three selfies, in the order in which they must come (rubix-onboarding §6.5).
public struct SelfieSubType: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The image is good enough.
  public static let faceCapture = SelfieSubType(rawValue: "FACE_CAPTURE")
  /// The template is made.
  public static let faceEnrollment = SelfieSubType(rawValue: "FACE_ENROLLMENT")
  /// The last; its success sets the step.
  public static let deviceRegistration = SelfieSubType(rawValue: "DEVICE_REGISTRATION")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [SelfieSubType] = [.faceCapture, .faceEnrollment, .deviceRegistration]
}

/// Which way the face looks in a selfie, from its own person's point of view.
public struct SelfieLook: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Into the camera.
  public static let straight = SelfieLook(rawValue: "straight")
  /// Turned to the person's left.
  public static let left = SelfieLook(rawValue: "left")
  /// Turned to the person's right.
  public static let right = SelfieLook(rawValue: "right")

  /// Every word that this version knows.
  public static let known: [SelfieLook] = [.straight, .left, .right]
}

/// Body of `POST /faces/selfie/upload` (rubix-onboarding §6.5).
///
/// Read with `sub_step` for `sub_type` too, which is what the published text calls it.
public struct SelfieUploadRequest: Codable, Sendable, Equatable {
  /// The image, base64 on the wire.
  public var file: Data
  /// Which of the three.
  public var subType: SelfieSubType

  /// Creates the value from its members.
  public init(file: Data, subType: SelfieSubType) {
    self.file = file
    self.subType = subType
  }

  /// Reads the value. Two names of the selfie must name the same one.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    file = try members.decode(Data.self, forKey: .file)
    guard let published = try members.decodeIfPresent(SelfieSubType.self, forKey: .subStep) else {
      subType = try members.decode(SelfieSubType.self, forKey: .subType)
      return
    }
    subType = published
    if let subType = try members.decodeIfPresent(SelfieSubType.self, forKey: .subType), subType != published {
      throw DecodingError.dataCorruptedError(
        forKey: .subStep, in: members, debugDescription: "Another selfie than `sub_type`.")
    }
  }

  /// Writes the name as `sub_type`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(file, forKey: .file)
    try members.encode(subType, forKey: .subType)
  }

  private enum CodingKeys: String, CodingKey {
    case file
    case subType = "sub_type"
    case subStep = "sub_step"
  }
}

/// Answer to `POST /faces/selfie/upload` (rubix-onboarding §6.5).
public struct SelfieUploadResponse: Codable, Sendable, Equatable {
  /// The session it belongs to.
  public var sessionID: String
  /// Which of the three.
  public var subType: SelfieSubType
  /// Whether the image was taken.
  public var accepted: Bool
  /// The selfies still to come.
  public var remaining: [SelfieSubType]
  /// What was measured.
  public var quality: ImageQuality

  /// Creates the value from its members.
  public init(
    sessionID: String, subType: SelfieSubType, accepted: Bool, remaining: [SelfieSubType], quality: ImageQuality
  ) {
    self.sessionID = sessionID
    self.subType = subType
    self.accepted = accepted
    self.remaining = remaining
    self.quality = quality
  }

  enum CodingKeys: String, CodingKey {
    case sessionID = "session_id"
    case subType = "sub_type"
    case accepted
    case remaining
    case quality
  }
}
