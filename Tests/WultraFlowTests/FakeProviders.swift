// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit
import PowerAuthCore

@testable import WultraFlow

/// Pictures of tests are texts: `img good`, and words that say what is wrong with them.
enum FakePicture {
  static let good = Data("img good".utf8)
  /// No picture at all.
  static let broken = Data("no picture".utf8)
  static let unreadable = Data("img unreadable".utf8)
  static let forged = Data("img forged".utf8)
  /// Good by itself, and of another person.
  static let mismatch = Data("img mismatch".utf8)
  /// For a person to look at.
  static let doubt = Data("img doubt".utf8)

  static func take(_ bytes: Data) throws -> Data {
    guard bytes.starts(with: Data("img".utf8)) else { throw ImageProblem.notDecodable }
    return bytes
  }
}

extension DocumentProvider {
  static let fake = DocumentProvider(
    prepareScanning: { ["token": .string("for \($0.attributes["sdk-init-token"]?.stringValue ?? "-")")] },
    take: { try FakePicture.take($0) },
    read: { image, _, _ in
      image == FakePicture.unreadable
        ? .rejected(code: "document-unreadable") : .read(image, portrait: Data("img face".utf8))
    },
    verify: { documents, _ in
      Dictionary(
        uniqueKeysWithValues: documents.map { document in
          (document.id, document.reading == FakePicture.forged ? .rejected(code: "mrz-vs-visual") : .accepted)
        })
    },
    compare: { documents, _ in
      let readings = documents.map(\.reading)
      if readings.contains(FakePicture.mismatch) { return .rejected(codes: ["name-across-documents"]) }
      return readings.contains(FakePicture.doubt) ? .inconclusive(codes: ["sex"]) : .accepted
    })
}

extension PresenceProvider {
  static let fake = PresenceProvider(
    start: {
      $0.captureAttributes.merging(["mockVerificationToken": .string($0.check.verification)]) { own, _ in own }
    },
    take: { bytes, _ in try FakePicture.take(bytes) },
    judge: { evidence in
      guard !evidence.captures.isEmpty, !evidence.portraits.isEmpty else { return .rejected(codes: ["no-capture"]) }
      if evidence.captures.contains(FakePicture.mismatch) { return .rejected(codes: ["face-no-match"]) }
      let measured = VerificationOutcome.Rule(.liveness, .pass, score: 0.8, threshold: 0.7)
      return evidence.captures.contains(FakePicture.doubt)
        ? .inconclusive(codes: ["face-no-model"], checks: [measured]) : .accepted
    })
}
