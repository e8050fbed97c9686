// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
internal import Foundation

/// A transfer that was sent, or is about to be, as the device keeps it until it is known what became of it.
public struct KeptTransfer: Codable, Hashable, Sendable, Redacted {
  /// Seconds for which another user's is kept: 90 days. A user's own is kept until it is known what became of it.
  static let othersAgeMax = 90.0 * 86_400

  /// With its key.
  public let request: InitiateTransferRequest
  /// Whose it is: a digest of the user's e-mail address, so that the store does not hold the address itself.
  public let owner: String
  /// When it was first kept, in seconds since 1970.
  public let keptAt: Double

  init(_ request: InitiateTransferRequest, owner: String, at time: Double) {
    (self.request, self.owner, keptAt) = (request, owner, time)
  }

  static func owner(email: String) -> String {
    LabelledDigest.hex(
      of: email.trimmingCharacters(in: .whitespacesAndNewlines).lowercased(), label: "finaptic kept transfer")
  }
}
