// SPDX-License-Identifier: Apache-2.0

import OneAssistCore

/// Which make and model an IMEI's first eight digits stand for (oneassist §5.3).
package struct TypeDirectory: Sendable {
  package struct DeviceType: Sendable, Equatable {
    package let make: String
    package let model: String

    package init(make: String, model: String) { (self.make, self.model) = (make, model) }
  }

  private let types: [String: DeviceType]

  package init(_ types: [String: DeviceType]) { self.types = types }

  /// Nil for a type that the directory does not have.
  package func type(of imei: IMEI) -> DeviceType? { types[imei.typeAllocationCode] }

  /// Invented: the directory of the GSMA is licensed. For sandboxes and tests.
  package static let synthetic = TypeDirectory([
    "35900011": .init(make: "Apple", model: "iPhone 14"), "35900012": .init(make: "Apple", model: "iPhone 15"),
    "35900021": .init(make: "Samsung", model: "Galaxy S23"), "35900031": .init(make: "Xiaomi", model: "13"),
  ])

  /// - Parameter list: `TAC,make,model` a line; other lines are ignored.
  package static func listed(_ list: String) -> TypeDirectory {
    var types: [String: DeviceType] = [:]
    for line in list.split(whereSeparator: \.isNewline) {
      let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 3, cells[0].utf8.count == 8 else { continue }
      types[cells[0]] = .init(make: cells[1], model: cells[2])
    }
    return TypeDirectory(types)
  }
}
