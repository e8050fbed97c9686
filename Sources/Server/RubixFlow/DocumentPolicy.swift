// SPDX-License-Identifier: Apache-2.0

import RubixWire

/// Which documents a tenant asks for: any one of some sets, or all of them, or both (rubix-onboarding §4.1).
///
/// `{"any_of":[["NATIONAL_ID_FRONT_SIDE","NATIONAL_ID_BACK_SIDE"],["PASSPORT"]]}`
package struct DocumentPolicy: Sendable, Codable, Equatable {
  /// One of these sets must be whole; nil or empty asks for none.
  package var anyOf: [[DocumentType]]?
  /// Each of these sets must be whole.
  package var allOf: [[DocumentType]]?

  package static let standard = DocumentPolicy(
    anyOf: [[.nationalIDFrontSide, .nationalIDBackSide], [.passport], [.drivingLicense]])

  package init(anyOf: [[DocumentType]]? = nil, allOf: [[DocumentType]]? = nil) {
    self.anyOf = anyOf
    self.allOf = allOf
  }

  enum CodingKeys: String, CodingKey {
    case anyOf = "any_of"
    case allOf = "all_of"
  }

  /// Every type that the policy names, in its order.
  package var accepted: [DocumentType] {
    ((allOf ?? []) + (anyOf ?? [])).joined().reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// What a policy can ask for; selfies are taken of everybody.
  static let documents: [DocumentType] = [.passport, .nationalIDFrontSide, .nationalIDBackSide, .drivingLicense]

  /// Whether an operator can have meant it: it names documents only, one at least, and no set that is always whole.
  package var asksForDocuments: Bool {
    let sets = (allOf ?? []) + (anyOf ?? [])
    return !sets.isEmpty && sets.allSatisfy { !$0.isEmpty && Set(Self.documents).isSuperset(of: $0) }
  }

  package func isSatisfied(by read: Set<DocumentType>) -> Bool {
    (allOf ?? []).allSatisfy { read.isSuperset(of: $0) }
      && (anyOf.map { $0.isEmpty || $0.contains { read.isSuperset(of: $0) } } ?? true)
  }

  /// What is still to be taken: the sets that are asked for and not whole, the one begun first.
  /// - Returns: each missing type, and whether another document would do as well.
  package func missing(read: Set<DocumentType>, begun: Set<DocumentType>) -> [(type: DocumentType, optional: Bool)] {
    var missing: [(DocumentType, Bool)] = (allOf ?? []).joined().filter { !read.contains($0) }.map { ($0, false) }
    if let anyOf, !anyOf.isEmpty, !anyOf.contains(where: { read.isSuperset(of: $0) }) {
      let order = anyOf.enumerated().sorted { one, other in
        let (oneBegun, otherBegun) = (!begun.isDisjoint(with: one.element), !begun.isDisjoint(with: other.element))
        return oneBegun == otherBegun ? one.offset < other.offset : oneBegun
      }.map(\.element)
      for (index, set) in order.enumerated() {
        missing += set.filter { !read.contains($0) }.map { ($0, index > 0) }
      }
    }
    return missing.reduce(into: []) { list, item in
      if !list.contains(where: { $0.type == item.0 }) { list.append((type: item.0, optional: item.1)) }
    }
  }
}
