// SPDX-License-Identifier: Apache-2.0

/// The items of a list that can be read; one that cannot is left out and spoils none of the others (§10.6).
package struct ReadableList<Item: Codable & Sendable>: Codable, Sendable {
  /// More than any service lists.
  private static var itemsMax: Int { 1000 }

  package let items: [Item]

  private struct Attempt: Decodable {
    let item: Item?

    init(from decoder: any Decoder) throws { item = try? Item(from: decoder) }
  }

  package init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    var items: [Item] = []
    while !list.isAtEnd, items.count < Self.itemsMax {
      if let item = try list.decode(Attempt.self).item { items.append(item) }
    }
    self.items = items
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for item in items { try list.encode(item) }
  }
}
