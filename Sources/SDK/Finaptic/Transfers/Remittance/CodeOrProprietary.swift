// SPDX-License-Identifier: Apache-2.0

/// A word of a list, or one of the sender's own.
public struct CodeOrProprietary<Code: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  /// Nil, too, for a word that this version does not know.
  public var code: Code?
  public var proprietary: String?

  /// Creates the value from its members.
  public init(code: Code? = nil, proprietary: String? = nil) {
    (self.code, self.proprietary) = (code, proprietary)
  }

  /// Reads the value; a word that is not on the list is left out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try? container.decodeIfPresent(Code.self, forKey: .code)
    proprietary = try container.decodeIfPresent(String.self, forKey: .proprietary)
  }
}

/// A kind, as ISO 20022 nests it.
public struct TypeWrapper<Code: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
  public var codeOrProprietary: CodeOrProprietary<Code>

  /// Creates the value from its member.
  public init(codeOrProprietary: CodeOrProprietary<Code>) { self.codeOrProprietary = codeOrProprietary }
}
