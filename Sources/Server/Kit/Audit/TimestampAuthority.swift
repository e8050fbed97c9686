// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// Whose time stamps are trusted: the certificates under which an authority's own has to be valid. Nothing is asked of
/// a network: certificates that were revoked are not known here.
package struct TimestampAuthority: Sendable {
  private let roots: [Certificate]

  /// - Parameter pem: one certificate or several.
  /// - Throws: for a text that is no such thing.
  package init(pem: String) throws {
    roots = try PEMDocument.parseMultiple(pemString: pem).map { try Certificate(pemDocument: $0) }
    guard !roots.isEmpty else { throw Timestamp.Unsound(text: "has no certificate") }
  }

  /// As of the stamp's own time: certificates of authorities end, and their stamps stay.
  /// - Throws: `Timestamp.Unsound`.
  func check(_ stamp: Timestamp) async throws {
    guard let signer = stamp.signer else { throw Timestamp.Unsound(text: "lacks the certificate that signed it") }
    guard
      signer.publicKey.isValidSignature(
        stamp.signature, for: stamp.signed, signatureAlgorithm: stamp.algorithm)
    else { throw Timestamp.Unsound(text: "has a wrong signature") }
    var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
      RFC5280Policy(fixedExpiryValidationTime: stamp.at.date)
      TimestampingPolicy()
    }
    guard
      case .validCertificate = await verifier.validate(
        leaf: signer, intermediates: CertificateStore(stamp.certificates))
    else { throw Timestamp.Unsound(text: "is not of the authority that is trusted") }
  }
}

/// RFC 3161, section 2.3: the certificate is for time stamps and nothing else, and says that this is critical.
private struct TimestampingPolicy: VerifierPolicy {
  let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

  func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
    let usages = chain.map { certificate in
      certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage].map { found in
        (found.critical, (try? ExtendedKeyUsage(found)).map { Array($0) } ?? [])
      }
    }
    // RFC5280Policy lets a certificate of version 1 sign others, and looks at no key usage.
    guard
      chain.dropFirst().dropLast().allSatisfy({
        $0.version == .v3 && ((try? $0.extensions.keyUsage)?.keyCertSign ?? true)
      })
    else { return .failsToMeetPolicy(reason: "not under authorities alone") }
    guard case (true, [.timeStamping])?? = usages.first,
      usages.allSatisfy({ $0?.1.contains { [.timeStamping, .any].contains($0) } ?? true })
    else { return .failsToMeetPolicy(reason: "not for time stamps") }
    return .meetsPolicy
  }
}

/// The stamps of checkpoints, which `scripts/timestamp-checkpoints` puts into a folder.
package struct AuditStamps: Sendable {
  /// Between a checkpoint's own time and its stamp's: one that was signed later, with an earlier time in it, shows.
  static let apartMax = Duration.hours(2)
  /// As the script takes from an authority.
  static let bytesMax = 1 << 20

  let folder: String
  /// Nil when it is not looked who signed.
  let authority: TimestampAuthority?

  package init(folder: String, authority: TimestampAuthority?) { (self.folder, self.authority) = (folder, authority) }

  /// Of which checkpoints there are stamps; none where there is no such folder.
  /// - Throws: for a folder that cannot be read.
  func numbers() throws -> [Int] {
    let files: [String]
    do { files = try FileManager.default.contentsOfDirectory(atPath: folder) } catch let error as CocoaError
      where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code)
    {
      return []
    }
    return files.compactMap { file in
      let number = file.wholeMatch(of: /audit-checkpoint-([0-9]+)\.tsr/).flatMap { Int($0.1) }
      return number.flatMap { file == "\(AuditAnchor.name($0)).tsr" ? $0 : nil }
    }.sorted()
  }

  /// - Returns: when the checkpoint was stamped; nil without a stamp.
  /// - Throws: `Timestamp.Unsound` for one that does not fit.
  func check(_ number: Int, _ document: Data, at: Instant) async throws -> Instant? {
    let file = "\(folder)/\(AuditAnchor.name(number)).tsr"
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    guard let answer = try? Data(contentsOf: URL(filePath: file), options: .mappedIfSafe), answer.count <= Self.bytesMax
    else { throw Timestamp.Unsound(text: "cannot be read") }
    let stamp = try Timestamp(answer)
    guard stamp.digest == Data(SHA256.hash(data: document)) else { throw Timestamp.Unsound(text: "is of another text") }
    try await authority?.check(stamp)
    let apart = stamp.at > at ? stamp.at - at : at - stamp.at
    guard apart <= Self.apartMax else {
      throw Timestamp.Unsound(text: "is of \(stamp.at.rfc3339), and the checkpoint of \(at.rfc3339)")
    }
    return stamp.at
  }
}
