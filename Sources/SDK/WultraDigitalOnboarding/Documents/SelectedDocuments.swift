// SPDX-License-Identifier: Apache-2.0

/// What the user chose, as it is kept on the device: `v1:idCard,driversLicense` (wultra-onboarding.md §6).
struct SelectedDocuments: Sendable, Equatable {
  private static let version = "v1:"

  let types: [WDODocumentType]

  /// Each document once.
  init(_ types: [WDODocumentType]) {
    self.types = types.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// - Returns: nil for a text of another version. Words that this version does not know are passed over.
  init?(text: String) {
    guard text.hasPrefix(Self.version) else { return nil }
    self.init(
      text.dropFirst(Self.version.count).split(separator: ",").compactMap { WDODocumentType(rawValue: String($0)) })
  }

  var text: String { Self.version + types.map(\.rawValue).joined(separator: ",") }
}
