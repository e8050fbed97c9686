// SPDX-License-Identifier: Apache-2.0

/// What waits, by whose it is: those who have something waiting take turns, one element at a time. Its owner bounds how
/// much waits.
struct FairQueue<Element> {
  /// The first has the next turn. No line is empty.
  private var lines: [(caller: String, elements: [Element])] = []

  mutating func append(_ element: Element, for caller: String) {
    if let line = lines.firstIndex(where: { $0.caller == caller }) {
      lines[line].elements.append(element)
    } else {
      lines.append((caller, [element]))
    }
  }

  mutating func next() -> Element? {
    guard !lines.isEmpty else { return nil }
    var line = lines.removeFirst()
    let element = line.elements.removeFirst()
    if !line.elements.isEmpty { lines.append(line) }
    return element
  }

  /// Takes away elements out of their turn.
  mutating func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
    let removed = lines.flatMap(\.elements).filter(isMeant)
    for line in lines.indices { lines[line].elements.removeAll(where: isMeant) }
    lines.removeAll(where: \.elements.isEmpty)
    return removed
  }

  var count: Int { lines.reduce(0) { $0 + $1.elements.count } }

  func count(of caller: String) -> Int { lines.first { $0.caller == caller }?.elements.count ?? 0 }

  /// Takes away the last element of the caller with the most, if that leaves it no fewer than `caller` has with one
  /// more.
  mutating func giveWay(to caller: String) -> Element? {
    let own = count(of: caller)
    guard let line = lines.indices.max(by: { lines[$0].elements.count < lines[$1].elements.count }),
      lines[line].elements.count > own + 1
    else { return nil }
    return lines[line].elements.removeLast()
  }
}
