// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a person types to activate a device: ten random bytes and their CRC as four groups of Base32 (powerauth.md
/// §3.1).
public struct ActivationCode: Hashable, Sendable, Redacted {
  /// Random bytes of a code.
  public static let randomBytes = 10
  private static let (groups, groupLength) = (4, 5)

  /// `XXXXX-XXXXX-XXXXX-XXXXX`.
  public let text: String

  /// A fresh code.
  public init(_ randomness: Randomness) {
    let bytes = randomness.bytes(Self.randomBytes)
    var checked = bytes
    checked.append(bigEndian: CRC16.checksum(bytes))
    let characters = Array(Base32.encode(checked))
    text = (0..<Self.groups).map { group in
      String(characters[group * Self.groupLength..<(group + 1) * Self.groupLength])
    }.joined(separator: "-")
  }

  /// Reads a code as it is printed; what people type goes through `correctedCharacter` first.
  /// - Throws: `malformed` when groups, letters or the CRC are wrong.
  public init(text: String) throws(PowerAuthError) {
    let groups =
      text.utf8.count == Self.groups * (Self.groupLength + 1) - 1
      ? text.split(separator: "-", omittingEmptySubsequences: false) : []
    guard groups.count == Self.groups, groups.allSatisfy({ $0.utf8.count == Self.groupLength }),
      let bytes = Base32.decode(groups.joined()), bytes.count == Self.randomBytes + 2,
      CRC16.checksum(bytes.prefix(Self.randomBytes)) == bytes.suffix(2).reduce(0, { $0 << 8 | UInt16($1) })
    else { throw .malformed(.activationCode) }
    self.text = text
  }

  /// The letter that was meant by this one: zero and one are O and I, lower case is upper.
  /// - Returns: nil for a character that no code has.
  public static func correctedCharacter(_ character: Character) -> Character? {
    switch character {
    case "A"..."Z" where character.isASCII, "2"..."7" where character.isASCII: character
    case "a"..."z" where character.isASCII: Character(character.uppercased())
    case "0": "O"
    case "1": "I"
    default: nil
    }
  }
}
