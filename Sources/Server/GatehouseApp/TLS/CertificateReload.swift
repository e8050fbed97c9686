// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the certificate anew at SIGHUP, as `systemctl reload` sends it. Without a certificate the signal is heard all
/// the same, because it would end the process.
struct CertificateReload: Service {
  let certificate: (any ServerCertificate)?
  let logger: Logger

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      guard let certificate else { continue }
      do {
        try certificate.reload()
        logger.info("the certificate was read anew")
      } catch {
        var metadata = Logger.Metadata.error(error)
        if let error = error as? CertificateError { metadata["file"] = "\(error.file)" }
        logger.error("the certificate cannot be read: the one before stays", metadata: metadata)
      }
    }
  }
}
