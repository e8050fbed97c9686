// SPDX-License-Identifier: Apache-2.0

/// Puts one kind of message together from the parts that `MessageReader` hands over, one at a time.
protocol MessageBuilder {
  /// Of the one version that is read.
  static var namespace: String { get }
  /// The element below `Document`.
  static var root: String { get }
  /// Elements below the root whose children are handed over instead of being kept.
  static var containers: Set<String> { get }

  init()
  /// Which of its parts it keeps. It checks all of them.
  var page: PartPage { get set }
  mutating func begin(_ container: String, line: Int) throws(MessageFault)
  mutating func take(_ part: MessageElement) throws(MessageFault)
  mutating func end(_ container: String) throws(MessageFault)
  /// What was kept, when all that was taken is checked as a whole.
  func message() throws(MessageFault) -> PaymentMessage
  /// What was kept, without a look at what the header says of the whole message.
  func kept() throws(MessageFault) -> PaymentMessage
}

extension MessageBuilder {
  static var containers: Set<String> { [] }

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {}
  mutating func end(_ container: String) throws(MessageFault) {}
}

/// The order of the parts of a message or of a container: each name once, or any number of times, and none too late.
struct ElementOrder {
  private let names: [String]
  private let repeated: Set<String>
  private var place = -1

  /// - Parameter sequence: the names of the schema's `xs:sequence`, separated by spaces.
  init(_ sequence: String, repeated: Set<String> = []) {
    names = sequence.split(separator: " ").map(String.init)
    self.repeated = repeated
  }

  mutating func note(_ name: String, line: Int) throws(MessageFault) {
    guard let found = names.firstIndex(of: name) else {
      throw MessageFault(line: line, element: name, "has no place here")
    }
    guard found > place || found == place && repeated.contains(name) else {
      throw MessageFault(line: line, element: name, found == place ? "stands twice" : "stands too late")
    }
    place = found
  }

  mutating func note(_ part: MessageElement) throws(MessageFault) { try note(part.name, line: part.line) }
}
