// SPDX-License-Identifier: Apache-2.0

/// Names and values of Finaptic's wire (docs/decisions, "Finaptic's wire").
///
/// Every method of the SDK is one `POST /finaptic/v1/<client>/<method>` with a JSON object each way. Names of members
/// are the SDK's in snake case, but for those that the published interface spells otherwise (finaptic §2.5). In
/// requests every member is optional and dates are text: the server says what is missing or malformed, all at once.
/// In answers only what may be missing is optional. Enumerations are words that may grow. Unknown members are ignored.
public enum FinapticAPI {
  /// In front of every path.
  public static let basePath = "/finaptic/v1"
  /// `GET`: what an app needs before its first call.
  public static let configurationPath = basePath + "/configuration"
  /// `PUT <uploadsPath>/<token>`: an image.
  public static let uploadsPath = basePath + "/uploads"

  /// Which app of which tenant calls; on every call.
  public static let clientKeyHeader = "X-Client-Key"
  /// A UUID on every call that changes something; the server keeps it with the answer for 24 hours.
  public static let idempotencyKeyHeader = "Idempotency-Key"
  /// `true` on an answer that was made for an earlier arrival of the same call.
  public static let replayedHeader = "Idempotency-Replayed"

  /// The word of `BasicDetails.requestStatus` for what was done.
  public static let requestOK = "OK"
  /// The word of `BasicDetails.requestStatus` for what could not be done now.
  public static let requestFailed = "FAILED"
}
