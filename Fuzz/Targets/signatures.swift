// SPDX-License-Identifier: Apache-2.0

import Foundation

private let now: Int64 = 1_795_500_000

/// A device's or a bank's signed request: its first line is the signature, its second the expiry, its third the URL.
func fuzz(_ bytes: Data) {
  let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
  guard lines.count == 4 else { return }
  let (signature, body) = (text(Data(lines[0])), Data(lines[3]))
  try? DetachedJWS.verify(signature, body: body, with: RSAPublicKey(), nowSeconds: now)
  let request = SignedRequest(method: "POST", url: text(Data(lines[2])), expiresAt: text(Data(lines[1])), body: body)
  try? request.verify(signature, with: RSAPublicKey(), nowSeconds: now)
}
