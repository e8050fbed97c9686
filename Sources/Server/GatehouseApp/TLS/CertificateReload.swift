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
  let world: World
  let logger: Logger

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      if let certificate { reload(certificate) }
    }
  }

  func reload(_ certificate: any ServerCertificate) {
    do {
      try certificate.reload(at: world.now())
      logger.info("the certificate was read anew")
      certificate.tellEnd(at: world.now(), logger)
    } catch {
      var metadata = Logger.Metadata.error(error)
      guard let error = error as? CertificateError else {
        return logger.error("the certificate cannot be read: the one before stays", metadata: metadata)
      }
      metadata["file"] = "\(error.file)"
      guard let end = error.end else {
        return logger.error("the certificate cannot be read: the one before stays", metadata: metadata)
      }
      metadata["end"] = "\(end.rfc3339)"
      logger.error("the certificate has ended: the one before, which has not, stays", metadata: metadata)
    }
  }
}

extension ServerCertificate {
  /// Tells a certificate that has ended, or soon does, with its file and its end.
  func tellEnd(at now: Instant, _ logger: Logger) {
    let metadata: Logger.Metadata = ["file": "\(file)", "end": "\(end.rfc3339)"]
    if end < now {
      logger.error(
        "the certificate of tls.certificate has ended and is served: apps and browsers refuse it", metadata: metadata)
    } else if end - now < Settings.certificateNotice {
      logger.warning("the certificate of tls.certificate ends within 30 days", metadata: metadata)
    }
  }
}
