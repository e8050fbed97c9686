// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Specimens

/// What can be said of a specimen of a phone's screen.
struct ScreenOptions: ParsableArguments {
  /// The screens that are drawn, by the names of the command line.
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case imeiScreenshot = "imei-screenshot"
    case secureScreen = "secure-screen"
  }

  @Option(help: "Of a screen: the IMEI that it shows (default: a number of no phone).")
  var imei: String?

  @Option(help: "Of a screen: the second IMEI.")
  var imei2: String?

  @Option(help: "Of a secure screen: the code's eleven digits (default: one that no session showed).")
  var code: String?

  @Option(help: "Of a secure screen: the two digits beside the code.")
  var hint: Int?

  func validate() throws {
    for number in [imei, imei2].compactMap(\.self) where number.wholeMatch(of: /[0-9]{15}/) == nil {
      throw ValidationError("an IMEI has fifteen digits")
    }
    guard imei2 == nil || imei != nil else { throw ValidationError("--imei2 comes with --imei") }
    guard code?.wholeMatch(of: /[0-9]{11}/) != nil || code == nil else {
      throw ValidationError("--code has eleven digits")
    }
    guard hint.map({ (0...99).contains($0) }) ?? true else { throw ValidationError("--hint is 0 to 99") }
  }

  /// - Returns: the files of one specimen and how their names end; the picture comes first.
  func draw(_ kind: Kind, degrade: String, seed: UInt64) throws -> [(Data, String)] {
    let isRandom = degrade == "random"
    let list = isRandom || degrade.isEmpty ? [] : try Degradation.list(degrade)
    switch kind {
    case .imeiScreenshot:
      let wear = isRandom ? ScreenWear.random(seed: seed) : list.isEmpty ? nil : ScreenWear(degrade: list)
      let numbers = imei.map { PhoneNumbers(imei: $0, imei2: imei2, seed: seed) }
      let drawn = try IMEIScreenshot.draw(numbers, wear: wear, seed: seed)
      return [(drawn.picture.data, drawn.picture.format.fileExtension), (try drawn.json(), "json")]
    case .secureScreen:
      var content = SecureScreenPhoto.Content.random(seed: seed)
      if let imei { (content.imei, content.imei2) = (imei, imei2) }
      content.code = code ?? content.code
      content.hint = hint ?? content.hint
      let drawn = try SecureScreenPhoto.draw(
        content, degrade: isRandom ? SecureScreenPhoto.wear(seed: seed) : list, seed: seed)
      return [(drawn.picture.data, drawn.picture.format.fileExtension), (try drawn.json(), "json")]
    }
  }
}
