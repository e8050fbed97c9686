// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// One test of a document, with what came of it (rubix-onboarding §6.8 `checks`).
package struct EvidenceCheck: Codable, Equatable, Sendable {
  package enum Code: String, Codable, Sendable, CaseIterable {
    /// The image is of the kind that was asked for.
    case documentType = "document-type"
    /// Every check digit of the machine-readable zone holds.
    case mrzCheckDigits = "mrz-check-digits"
    /// Characters that no check digit covers were read without doubt.
    case mrzLegibility = "mrz-legibility"
    case notExpired = "not-expired"
    case mrzVsVisual = "mrz-vs-visual"
    case barcodeVsVisual = "barcode-vs-visual"
    /// The barcode agrees with itself (identity-documents §9.2).
    case barcodeConsistency = "barcode-consistency"
    /// The QR code says what print and zone say.
    case qrConsistency = "qr-consistency"
    /// Issued by Utopia, the state of specimens (identity-documents §3.1).
    case specimen
    /// State and nationality are known codes.
    case stateCodes = "state-codes"
    case portrait
    case imageQuality = "image-quality"
  }

  package enum Result: String, Codable, Sendable {
    case pass, fail, review, inconclusive

    init(_ verdict: Verdict) {
      switch verdict {
      case .pass: self = .pass
      case .review: self = .review
      case .fail: self = .fail
      }
    }
  }

  package var code: Code
  package var result: Result
  /// Fields that differ or could not be read, by their wire names.
  package var fields: [String]

  package init(_ code: Code, _ result: Result, fields: [String] = []) {
    self.code = code
    self.result = result
    self.fields = fields
  }
}
