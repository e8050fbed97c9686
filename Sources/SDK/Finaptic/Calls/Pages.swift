// SPDX-License-Identifier: Apache-2.0

extension String? {
  /// A token of a page; an empty one says the same as none: the end.
  var orEnd: String? { self?.isEmpty == false ? self : nil }
}

extension Array {
  /// `map` that keeps the type of the error.
  func all<Value>(_ read: (Element) throws(FinapticError) -> Value) throws(FinapticError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for element in self { values.append(try read(element)) }
    return values
  }
}
