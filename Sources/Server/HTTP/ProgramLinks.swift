// SPDX-License-Identifier: Apache-2.0

import Kit
import ServiceLifecycle

/// What only some programs link, because an implementation of TLS comes with it.
///
/// A program without refuses the settings that ask for it: nothing is served in clear where a certificate is named, and
/// nothing is kept in a folder where a bucket is.
package struct ProgramLinks: Sendable {
  /// A bucket as its settings name it, and the service that has to run beside those who use it.
  package typealias Bucket =
    @Sendable (
      _ place: S3Settings, _ credentials: S3Credentials, _ authorityFile: String?, _ world: World
    ) throws -> (blobs: Blobs, service: any Service)

  /// Reads the server's own certificate.
  package var certificate: (@Sendable (TLSSettings) throws -> any ServerCertificate)?
  /// Opens a bucket. Throws `SettingsError` for a file of authorities that cannot be read.
  package var bucket: Bucket?

  /// Neither.
  package init() {}
}
