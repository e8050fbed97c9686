// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ReferenceData

/// Every list of codes that apps let people choose from (finaptic §7). What is listed is in the order of showing.
package struct ReferenceCatalogue: Sendable {
  private let lists: [String: [ReferenceEntry]]
  private let codes: [String: Set<String>]
  /// Changes when anything in the catalogue does; apps may keep what they have until then.
  package let version: String

  /// - Parameters:
  ///   - occupations: of Canada's National Occupational Classification.
  ///   - industries: of NAICS Canada.
  package init(occupations: [ReferenceEntry], industries: [ReferenceEntry]) {
    var lists = ReferenceTables.lists
    lists[ReferenceType.country] = Country.all.map {
      ReferenceEntry($0.alpha2, english: $0.name, french: $0.nameFrench)
    }
    lists[ReferenceType.occupation] = occupations
    lists[ReferenceType.industry] = industries
    self.lists = lists
    codes = lists.mapValues { Set($0.map(\.code)) }
    version = Self.version(of: lists)
  }

  /// The choices of a type; nil when there is no such type. A country without states has none.
  package func list(_ type: String) -> [ReferenceEntry]? {
    guard let entries = lists[Self.canonical(type)] else {
      return ReferenceType.country(ofStates: type).map { _ in [] }
    }
    return entries.filter { !$0.isWithdrawn }
  }

  /// Whether a code is one of a type, be it withdrawn.
  package func has(_ code: String, in type: String) -> Bool { codes[Self.canonical(type)]?.contains(code) ?? false }

  private static func canonical(_ type: String) -> String {
    type == ReferenceType.failureStatus ? ReferenceType.failureCode : type
  }

  private static func version(of lists: [String: [ReferenceEntry]]) -> String {
    var text = ""
    for (type, entries) in lists.sorted(by: { $0.key < $1.key }) {
      text += "\(type)\n"
      for entry in entries { text += "\(entry.code)\t\(entry.english)\t\(entry.french)\t\(entry.isWithdrawn)\n" }
    }
    return String(Data(text.utf8).sha256Hex.prefix(16))
  }
}

/// Reference data and addresses: the same for all tenants, and constant while the program runs.
package struct FinapticLibrary: Sendable {
  package let catalogue: ReferenceCatalogue
  package let addresses: AddressDirectory

  package init(catalogue: ReferenceCatalogue, addresses: AddressDirectory) {
    (self.catalogue, self.addresses) = (catalogue, addresses)
  }

  /// - Parameters:
  ///   - referenceFolder: an operator's lists; nil is what comes with the program.
  ///   - addressIndex: an operator's addresses.
  ///   - isSandbox: whether, without an index, invented addresses are suggested.
  package init(referenceFolder: String?, addressIndex: String?, isSandbox: Bool) throws {
    catalogue = try referenceFolder.map { try ReferenceFiles.catalogue(folder: $0) } ?? ReferenceFiles.shipped()
    addresses = AddressDirectory(path: addressIndex, suggestsSample: isSandbox)
  }
}
