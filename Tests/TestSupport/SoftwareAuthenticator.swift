// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

/// A security key in software, which answers as a browser hands its answers on (Web Authentication, Level 3).
package struct SoftwareAuthenticator: Sendable {
  package let id: Data
  package var relyingParty: String
  package var origin: String
  /// Bits of the flags: present 1, verified 4.
  package var flags: UInt8 = 0x01
  private let key = P256.Signing.PrivateKey()

  package init(
    relyingParty: String = "localhost", origin: String = "http://localhost:8080", id: Data = Data("key 1".utf8)
  ) {
    (self.relyingParty, self.origin, self.id) = (relyingParty, origin, id)
  }

  package func registration(_ challenge: Data, counter: UInt32 = 1) -> (clientData: Data, attestation: Data) {
    let point = key.publicKey.x963Representation
    var data = authenticatorData(counter, flags: flags | 0x40)
    data += Data(repeating: 0, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 0xff)] + id
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    data += [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.dropFirst().prefix(32)
    data += [0x22, 0x58, 0x20] + point.suffix(32)
    var object = Data([0xa3, 0x63]) + Data("fmt".utf8) + [0x64] + Data("none".utf8)
    object += [0x67] + Data("attStmt".utf8) + [0xa0, 0x68] + Data("authData".utf8)
    // The shortest form of the length, of one byte or two.
    object += data.count < 256 ? [0x58] : [0x59, UInt8(data.count >> 8)]
    object += [UInt8(data.count & 0xff)] + data
    return (clientData("webauthn.create", challenge), object)
  }

  package func assertion(
    _ challenge: Data, counter: UInt32
  ) throws -> (clientData: Data, authenticatorData: Data, signature: Data) {
    let (client, data) = (clientData("webauthn.get", challenge), authenticatorData(counter, flags: flags))
    let signature = try key.signature(for: data + Data(SHA256.hash(data: client)))
    return (client, data, signature.derRepresentation)
  }

  private func authenticatorData(_ counter: UInt32, flags: UInt8) -> Data {
    Data(SHA256.hash(data: Data(relyingParty.utf8))) + [flags]
      + withUnsafeBytes(of: counter.bigEndian) { Data($0) }
  }

  private func clientData(_ type: String, _ challenge: Data) -> Data {
    Data(
      #"{"type":"\#(type)","challenge":"\#(challenge.base64URL)","origin":"\#(origin)","crossOrigin":false}"#.utf8)
  }
}
