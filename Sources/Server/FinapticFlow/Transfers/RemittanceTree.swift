/// The part of JSON that remittance is made of. Amounts are text, so that nobody makes binary fractions of them.
indirect enum RemittanceTree: Sendable, Equatable, Codable {
  case text(String)
  case list([RemittanceTree])
  case object([String: RemittanceTree])
  /// As good as absent.
  case nothing
  /// A number or a truth value: nowhere in a document.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([RemittanceTree].self) {
      self = .list(list)
    } else if let members = try? container.decode([String: RemittanceTree].self) {
      self = .object(members)
    } else {
      self = .other
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    case .nothing, .other: try container.encodeNil()
    }
  }
}
