// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import ObjectStorage

extension ProgramLinks {
  /// Everything that a program may link.
  package static var all: ProgramLinks {
    var links = ProgramLinks()
    links.certificate = { try CertificateFiles($0) }
    links.bucket = { place, credentials, authorityFile, world in
      do {
        return Blobs.s3(
          place, credentials, trust: try authorityFile.map(S3Trust.authorities) ?? .system, world: world)
      } catch is S3Trust.Malformed {
        throw SettingsError("s3.ca names a file that cannot be read or holds no certificate in PEM form")
      }
    }
    return links
  }
}
