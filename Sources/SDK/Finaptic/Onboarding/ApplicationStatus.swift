// SPDX-License-Identifier: Apache-2.0

/// Where an application stands (finaptic §5.1). Words that this version does not know are kept.
public struct ApplicationStatus: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The word on the wire.
  public let rawValue: String

  /// Wraps a word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Wraps a word.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The word on the wire.
  public var description: String { rawValue }

  /// Never stored.
  public static let undefined: ApplicationStatus = "UNDEFINED"
  /// Begun.
  public static let newApplication: ApplicationStatus = "New Application"
  /// After an update, or after documents or selfie were refused.
  public static let dataCollection: ApplicationStatus = "Data Collection"
  /// After documents or selfie were taken.
  public static let kycInProgress: ApplicationStatus = "KYC In Progress"
  /// The application passed.
  public static let kycSuccess: ApplicationStatus = "KYC Success"
  /// The application was refused and may be tried again.
  public static let kycFailed: ApplicationStatus = "KYC Failed"
  /// No attempts are left. Final.
  public static let kycRejected: ApplicationStatus = "KYC Rejected"
  /// The applicant accepted.
  public static let applicationAccepted: ApplicationStatus = "Application Accepted"
  /// Customer and products are there. Final.
  public static let applicationProcessed: ApplicationStatus = "Application Processed"
  /// The applicant ended it. Final.
  public static let applicationCancelled: ApplicationStatus = "Application Cancelled"
  /// Refused for which there is no better word. Final.
  public static let applicationRejected: ApplicationStatus = "Application Rejected"
}
