// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: PEM")
struct PEMTests {
  private func lines(of pem: String) -> [String] { pem.split(separator: "\n").map(String.init) }

  @Test("line ends and line lengths do not matter")
  func tolerated() throws {
    let key = try TestKeys.device().publicKey
    let lines = lines(of: key.pem)
    let body = lines.dropFirst().dropLast().joined()
    let wide = stride(from: 0, to: body.count, by: 76).map { String(body.dropFirst($0).prefix(76)) }
    let (begin, end) = (lines[0], lines[lines.count - 1])
    let inLines = { (body: [String]) in ([begin] + body + [end]).joined(separator: "\n") }
    let texts: [String] = [
      lines.joined(separator: "\r\n") + "\r\n", lines.joined(separator: #"\n"#) + #"\n"#,
      lines.joined(separator: #"\r\n"#), lines.joined(separator: "\n"), lines.joined(separator: "\r"), lines.joined(),
      "\n\n \(key.pem)\t\n", inLines([body]), inLines(wide), lines.joined(separator: "\n\n  "),
    ]
    for text in texts { #expect(try RSAPublicKey(pem: text) == key, "\(text.prefix(60))") }
  }

  @Test("what is written has lines of 64 characters, the last one ended too")
  func written() throws {
    let key = try TestKeys.device()
    for pem in [key.publicKey.pem, key.publicKey.pkcs1PEM, key.pkcs8PEM, key.pkcs1PEM] {
      #expect(pem.hasPrefix("-----BEGIN ") && pem.hasSuffix("-----\n"))
      let body = lines(of: pem).dropFirst().dropLast()
      #expect(body.dropLast().allSatisfy { $0.count == 64 } && (1...64).contains(body.last?.count ?? 0))
    }
    #expect(key.publicKey.pem.utf8.count == 451)
  }

  @Test("nothing but one block is taken")
  func refused() throws {
    let pem = try TestKeys.device().publicKey.pem
    let lines = lines(of: pem)
    let texts: [String] = [
      "", " ", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
      lines.dropFirst().joined(separator: "\n"), lines.dropLast().joined(separator: "\n"), pem + pem, "x" + pem,
      pem + "x",
      pem.replacing("END PUBLIC", with: "END RSA PUBLIC"), pem.replacing("PUBLIC KEY", with: "CERTIFICATE"),
      pem.replacing("PUBLIC KEY", with: "ENCRYPTED PRIVATE KEY"), pem.replacing("-----B", with: "----B"),
      pem.replacing("MII", with: "MI!"), pem.replacing("MII", with: #"M\tI"#), pem + #"\"#,
      lines.dropFirst().dropLast().joined(), String(pem.dropLast(20)),
      "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII=\n-----END RSA PRIVATE KEY-----",
    ]
    for text in texts {
      #expect(throws: SaltEdgeError.malformed(.pem), "\(text.prefix(60))") { try RSAPublicKey(pem: text) }
      #expect(throws: SaltEdgeError.malformed(.pem), "\(text.prefix(60))") { try RSAPrivateKey(pem: text) }
    }
    #expect(throws: SaltEdgeError.tooLong(.pem)) { try RSAPublicKey(pem: pem + String(repeating: "\n", count: 16_384)) }
  }

  @Test("a key of the other kind is refused")
  func otherKind() throws {
    let key = try TestKeys.device()
    for pem in [key.pkcs1PEM, key.pkcs8PEM] {
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(pem: pem) }
    }
    for pem in [key.publicKey.pem, key.publicKey.pkcs1PEM] {
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey(pem: pem) }
    }
  }
}
