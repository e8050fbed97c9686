// SPDX-License-Identifier: Apache-2.0

import Evidence
import FinapticWire
import Kit

/// A kind of identity document that is taken (finaptic §6.2).
struct AcceptedDocument: Sendable {
  /// Code of DOCUMENT_TYPE.
  let type: String
  /// What its front shows to our reader.
  let front: Evidence.DocumentKind
  /// What its back shows; nil for a document of one side.
  let back: Evidence.DocumentKind?
  /// Provinces that issue it; empty when it is the country's.
  let states: Set<String>

  static let all: [AcceptedDocument] = [
    .init(type: "DOCUMENT_TYPE_CANADIAN_PASSPORT", front: .passport, back: nil, states: []),
    // The barcode of a licence or of a province's card is on its back (AAMVA DL/ID).
    .init(
      type: "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE", front: .drivingLicence, back: .drivingLicence,
      states: ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"]),
    .init(
      type: "DOCUMENT_TYPE_CANADIAN_PERMANENT_RESIDENT_CARD", front: .nationalIDFront, back: .nationalIDBack,
      states: []),
    .init(
      type: "DOCUMENT_TYPE_CANADIAN_CITIZENSHIP_CARD", front: .nationalIDFront, back: .nationalIDBack, states: []),
    .init(
      type: "DOCUMENT_TYPE_CANADIAN_PROVINCIAL_SERVICES_CARD", front: .nationalIDFront, back: .drivingLicence,
      states: ["BC"]),
    .init(
      type: "DOCUMENT_TYPE_CANADIAN_PROVINCIAL_IDENTITY_CARD", front: .nationalIDFront, back: .drivingLicence,
      states: ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "SK"]),
  ]

  static func named(_ type: String?) -> AcceptedDocument? { all.first { $0.type == type } }
}

/// What a call may say of documents and pictures, before anything is looked up: all faults at once.
struct DocumentRules {
  static let documentsMax = 5

  private(set) var faults: [Problem.Field] = []
  private var names: Set<String> = []

  /// - Returns: the documents without what is blank.
  mutating func documents(_ given: [FinapticAPI.DocumentInfo]?, isRequired: Bool) -> [FinapticAPI.DocumentInfo] {
    let given = given ?? []
    if isRequired, given.isEmpty { refuse("documentDetails", "At least one document.") }
    if given.count > Self.documentsMax {
      refuse("documentDetails", "At most \(Self.documentsMax) documents.")
      return []
    }
    return given.enumerated().map { document($1, "documentDetails[\($0)]") }
  }

  private mutating func document(_ given: FinapticAPI.DocumentInfo, _ path: String) -> FinapticAPI.DocumentInfo {
    let kept = FinapticAPI.DocumentInfo(
      documentType: InputCheck.clean(given.documentType), documentCountry: InputCheck.clean(given.documentCountry),
      frontImageFileName: name(given.frontImageFileName, "\(path).frontImageFileName", isRequired: true),
      backImageFileName: name(given.backImageFileName, "\(path).backImageFileName", isRequired: false),
      documentState: InputCheck.clean(given.documentState))
    let accepted = AcceptedDocument.named(kept.documentType)
    if accepted == nil { refuse("\(path).documentType", "A code of DOCUMENT_TYPE.") }
    if kept.documentCountry != "CA" { refuse("\(path).documentCountry", "CA: only Canadian documents are taken.") }
    guard let accepted else { return kept }
    if accepted.back != nil, kept.backImageFileName == nil {
      refuse("\(path).backImageFileName", "This document has a back.")
    }
    if accepted.states.isEmpty {
      if kept.documentState != nil { refuse("\(path).documentState", "This document has no state.") }
    } else if kept.documentState.map(accepted.states.contains) != true {
      refuse("\(path).documentState", "A code of STATE_CA of a province that issues this document.")
    }
    return kept
  }

  mutating func name(_ given: String?, _ path: String, isRequired: Bool) -> String? {
    guard let name = InputCheck.clean(given) else {
      if isRequired { refuse(path, "The name of an uploaded file is required.") }
      return nil
    }
    if !names.insert(name).inserted { refuse(path, "Each picture is uploaded for itself.") }
    return name
  }

  mutating func refuse(_ path: String, _ message: String) { faults.append(.init(path, "invalid", message)) }

  /// - Throws: `Problem` invalid argument with every fault.
  func end() throws {
    guard faults.isEmpty else { throw Problem.finapticFields(faults) }
  }
}
