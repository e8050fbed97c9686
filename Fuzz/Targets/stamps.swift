// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Time stamps of authorities (RFC 3161), which `audit verify` reads. Every digest is of zeros here.
func fuzz(_ bytes: Data) {
  do {
    let stamp = try Timestamp(bytes)
    precondition(stamp.certificates.count <= Timestamp.certificatesMax && !stamp.signed.isEmpty)
  } catch { precondition(error is Timestamp.Unsound) }
}
