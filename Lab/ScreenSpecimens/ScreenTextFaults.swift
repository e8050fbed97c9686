// SPDX-License-Identifier: Apache-2.0

package import GatehouseUI

extension ScreenSpecimen {
  /// What is wrong with a catalogue: a text that a language lacks, has with other placeholders, or in other letters.
  package static func faults<Key: ScreenText>(in catalogue: Key.Type) -> [String] {
    let english = ScreenTexts<Key>(.english)
    return ScreenLanguage.allCases.flatMap { language in
      Key.allCases.compactMap { key in
        let text = Key.tables[language]?[key] ?? ""
        let isArabic = text.unicodeScalars.contains { (0x600...0x6ff).contains($0.value) }
        let isRight = !text.isEmpty && places(text) == places(english[key]) && isArabic == (language == .arabic)
        return isRight ? nil : "\(language) \(key.rawValue)"
      }
    }
  }

  private static func places(_ text: String) -> [String] {
    text.matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
  }
}
