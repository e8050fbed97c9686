// SPDX-License-Identifier: Apache-2.0

/// What to ask `createFileUploadURL` for.
public struct CreateFileUploadUrlRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String) {
    self.onboardingApplicationId = onboardingApplicationId
  }
}

/// What `createFileUploadURL` answers.
public struct CreateFileUploadUrlResponse: Hashable, Codable, Sendable {
  public var filename: String
  /// Where to `PUT` the JPEG or PNG: once, within 15 minutes.
  public var uploadUrl: String

  /// Creates the value from its members.
  public init(filename: String, uploadUrl: String) {
    (self.filename, self.uploadUrl) = (filename, uploadUrl)
  }
}
