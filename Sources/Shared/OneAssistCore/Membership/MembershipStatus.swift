// SPDX-License-Identifier: Apache-2.0

/// Where a membership stands (specification §3). The raw value is the word on the wire.
public enum MembershipStatus: String, Sendable, Hashable, CaseIterable {
  /// Paid; IMEI, PIN code and address are missing.
  case detailsPending = "POSTDTLPENDING"
  /// The details are known; photos are missing.
  case detailsComplete = "POSTDTLCOMPLETE"
  /// The review refused at least one photo.
  case reupload = "REUPLOAD"
  /// Everything is in and under review.
  case pending = "PENDING"
  /// Approved; cover starts on a later day.
  case queued = "QUEUED"
  /// Cover is active.
  case approved = "APPROVED"
  /// Refused for good.
  case rejected = "REJECTED"
  /// Cancelled or refunded.
  case cancelled = "CANCELLED"

  /// Who has to act next. The raw value is the word of the membership details (§9.3).
  public enum Turn: String, Sendable, Hashable, CaseIterable {
    /// The person with the phone.
    case user = "USER"
    /// A reviewer, or the calendar.
    case house = "ONEASSIST"
    /// The membership is over.
    case ended = "NONE"
  }

  /// Whose turn it is.
  public var turn: Turn {
    switch self {
    case .detailsPending, .detailsComplete, .reupload: .user
    case .pending, .queued: .house
    case .approved, .rejected, .cancelled: .ended
    }
  }

  /// The error code of a call that this status does not allow, 2001…2006 (§2.3); nil for those in which the user acts
  /// on photos, which allow every call.
  public var refusalCode: String? {
    switch self {
    case .detailsPending: "2001"
    case .pending: "2002"
    case .approved: "2003"
    case .queued: "2004"
    case .rejected: "2005"
    case .cancelled: "2006"
    case .detailsComplete, .reupload: nil
    }
  }
}
