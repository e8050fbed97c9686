// SPDX-License-Identifier: Apache-2.0

/// Something that is filled in for an act about a record, besides the reason.
package struct RecordField: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case line(lengthMax: Int)
    case choice([Option])
  }

  package struct Option: Sendable, Equatable {
    package let code: String
    /// As people read it; nil where a page has words for the code.
    package let label: String?

    package init(_ code: String, _ label: String? = nil) { (self.code, self.label) = (code, label) }
  }

  /// In small letters and underscores.
  package let code: String
  package let kind: Kind
  package let isRequired: Bool

  package init(_ code: String, _ kind: Kind, isRequired: Bool = false) {
    (self.code, self.kind, self.isRequired) = (code, kind, isRequired)
  }
}
