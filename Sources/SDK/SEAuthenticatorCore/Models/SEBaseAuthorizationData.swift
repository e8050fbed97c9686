// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An authorization of either version, once decrypted.
public protocol SEBaseAuthorizationData {
  var id: String { get }
  var connectionId: String { get }
  var createdAt: Date { get }
  var expiresAt: Date { get }
  /// To be sent back with the decision.
  var authorizationCode: String? { get }
  /// `1` or `2`.
  var apiVersion: ApiVersion { get }
}

/// What a service says to an instant action, in either version.
public protocol SEBaseActionResponse {
  /// What has to be confirmed still; nil when it is done.
  var authorizationId: String? { get }
  var connectionId: String? { get }
}
