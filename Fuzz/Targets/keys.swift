// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keys that a device or a bank sends, as far as they are read before RSA: PEM, DER and base64.
func fuzz(_ bytes: Data) {
  if let pem = try? PEM(text: text(bytes)) { _ = try? RSAKeyEncoding.publicPKCS1(spki: pem.der) }
  if let inner = try? RSAKeyEncoding.publicPKCS1(spki: bytes) {
    precondition(RSAKeyEncoding.spki(publicPKCS1: inner) == bytes)
  }
  if let numbers = try? RSAKeyEncoding.numbers(publicPKCS1: bytes) {
    precondition(RSAKeyEncoding.publicPKCS1(numbers) == bytes)
  }
  if let inner = try? RSAKeyEncoding.privatePKCS1(pkcs8: bytes) { _ = try? RSAKeyEncoding.numbers(privatePKCS1: inner) }
}
