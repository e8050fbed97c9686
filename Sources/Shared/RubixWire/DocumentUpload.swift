// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Body of `POST /documents/{kind}/upload` (rubix-onboarding §6.7). The answer is a `DocumentView`.
public struct DocumentUploadRequest: Codable, Sendable, Equatable {
  /// The image, base64 on the wire.
  public var file: Data
  /// The original camera frame, when `file` was cropped.
  public var unprocessed: Data?
  /// Raw PDF417 payload read on the device: a hint.
  public var barcode: String?
  /// MRZ text read on the device: a hint.
  public var mrz: String?

  /// Creates the value from its members.
  public init(file: Data, unprocessed: Data? = nil, barcode: String? = nil, mrz: String? = nil) {
    self.file = file
    self.unprocessed = unprocessed
    self.barcode = barcode
    self.mrz = mrz
  }
}
