// SPDX-License-Identifier: Apache-2.0

/// What the document layer adds to a parsed zone: nothing that makes the zone wrong, all of it worth a look.
public enum DocumentFinding: String, Hashable, Sendable, Codable, CaseIterable {
  case unknownIssuingState = "UNKNOWN_ISSUING_STATE"
  case unknownNationality = "UNKNOWN_NATIONALITY"
  /// Utopia: a specimen, refused in production (identity-documents §3.1).
  case specimenState = "SPECIMEN_STATE"
  /// A code that is no longer given out.
  case withdrawnState = "WITHDRAWN_STATE"
  /// The first character of the document code does not belong to the format (identity-documents §1).
  case unexpectedDocumentCode = "UNEXPECTED_DOCUMENT_CODE"
  /// Only the composite digit is wrong: to review, never accepted by itself (identity-documents §5).
  case onlyCompositeFails = "ONLY_COMPOSITE_FAILS"

  /// The findings of a parsed zone, in the order of the cases; none for a zone without fields.
  public static func findings(in result: MRZ.Result) -> [DocumentFinding] {
    guard let fields = result.fields else { return [] }
    let states = [fields.issuingState, fields.nationality].map { $0.map(StateCode.kind(of:)) }
    var found: Set<DocumentFinding> = []
    if states[0] == .unknown { found.insert(.unknownIssuingState) }
    if states[1] == .unknown { found.insert(.unknownNationality) }
    if states.contains(.specimen) { found.insert(.specimenState) }
    if states.contains(.withdrawn) { found.insert(.withdrawnState) }
    if !fields.format.expects(documentCode: fields.documentCode ?? "") { found.insert(.unexpectedDocumentCode) }
    if result.failsOnlyComposite { found.insert(.onlyCompositeFails) }
    return allCases.filter(found.contains)
  }
}

extension MRZ.Format {
  /// True when a document code of the format may begin so (identity-documents §1); `IV` is not used.
  public func expects(documentCode: String) -> Bool {
    switch self {
    case .td1, .td2: documentCode != "IV" && ["A", "C", "I"].contains(documentCode.prefix(1))
    case .td3: documentCode.hasPrefix("P")
    case .mrva, .mrvb: documentCode.hasPrefix("V")
    case .frenchID1988: documentCode == "ID"
    }
  }
}
