// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeCore

extension Data {
  /// The DER of a public key as PEM: lines of 64 characters that end in a line feed, the last too.
  public var string: String { PEM(.publicKey, der: self).text }

  /// The bytes of a public key in PKCS #1, as an iOS key chain gives them, as SubjectPublicKeyInfo: with what says
  /// that it is an RSA key in front.
  public func dataByPrependingX509Header() -> Data { RSAKeyEncoding.spki(publicPKCS1: self) }
}
