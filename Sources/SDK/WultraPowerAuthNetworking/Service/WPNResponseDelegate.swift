// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Sees every answer, for an app's own diagnosis. Bodies are personal: they belong in no log.
///
/// Called on any thread.
public protocol WPNResponseDelegate: AnyObject, Sendable {
  /// An answer came in the clear.
  func responseReceived(from url: URL, statusCode: Int?, body: Data)
  /// An answer came encrypted.
  func encryptedResponseReceived(from url: URL, statusCode: Int?, body: Data, decrypted: Data)
}
