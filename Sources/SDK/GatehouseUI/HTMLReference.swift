// SPDX-License-Identifier: Apache-2.0

/// What a character reference in HTML stands for (HTML Living Standard §13.2.5.72 to §13.2.5.80): every number, and
/// names: those of HTML 4 that texts of banks have, and letters and signs that names and amounts in Europe need.
///
/// `GatehouseWire` decides which references a bank's text may have; this one reads them.
struct HTMLReference {
  /// What is shown: nothing for a control or format character, which could make an amount read differently.
  let character: String.UnicodeScalarView
  /// What follows.
  let rest: Substring.UnicodeScalarView

  /// - Parameter text: begins with an ampersand.
  /// - Returns: nil when the ampersand stands for itself, or the name is not known.
  init?(_ text: Substring.UnicodeScalarView) {
    let after = text.dropFirst()
    if after.first == "#" {
      self.init(number: after.dropFirst())
    } else {
      self.init(name: after)
    }
  }

  private init?(number text: Substring.UnicodeScalarView) {
    let isHex = text.first == "x" || text.first == "X"
    let after = isHex ? text.dropFirst() : text
    let digits = after.prefix { Self.isLetterOrDigit($0) && Self.value($0, isHex: isHex) != nil }
    guard !digits.isEmpty else { return nil }
    let value = digits.reduce(UInt32(0)) { value, digit in
      min(value * (isHex ? 16 : 10) + (Self.value(digit, isHex: isHex) ?? 0), 0x11_0000)
    }
    let rest = after.dropFirst(digits.count)
    self.rest = rest.first == ";" ? rest.dropFirst() : rest
    character = Self.shown(Self.windows[value] ?? value)
  }

  private init?(name text: Substring.UnicodeScalarView) {
    let name = String(text.prefix(Self.nameMax).prefix { Self.isLetterOrDigit($0) })
    let after = text.dropFirst(name.unicodeScalars.count)
    if after.first == ";", let value = Self.named[name] ?? Self.old[name] {
      (character, rest) = (Self.shown(value), after.dropFirst())
      return
    }
    // The oldest names need no semicolon; the longest one counts.
    let lengths = (2...Self.oldMax).reversed().filter { $0 <= name.count }
    guard let length = lengths.first(where: { Self.old[String(name.prefix($0))] != nil }),
      let value = Self.old[String(name.prefix(length))]
    else { return nil }
    (character, rest) = (Self.shown(value), text.dropFirst(length))
  }

  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  private static func value(_ scalar: Unicode.Scalar, isHex: Bool) -> UInt32? {
    Character(scalar).hexDigitValue.flatMap { $0 < (isHex ? 16 : 10) ? UInt32($0) : nil }
  }

  private static func shown(_ value: UInt32) -> String.UnicodeScalarView {
    guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{fffd}".unicodeScalars }
    let category = scalar.properties.generalCategory
    let isShown = scalar == "\n" || scalar == "\t" || (category != .control && category != .format)
    return isShown ? String(scalar).unicodeScalars : "".unicodeScalars
  }
}

extension HTMLReference {
  private static let nameMax = 32
  private static let oldMax = 6

  /// Numbers that browsers read as Windows-1252.
  private static let windows = Dictionary(
    uniqueKeysWithValues: zip(
      UInt32(0x80)...0x9f,
      [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d,
        0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d,
        0x17e, 0x178,
      ] as [UInt32]))

  /// Names that need no semicolon.
  private static let old: [String: UInt32] = {
    var values: [String: UInt32] = [
      "amp": 0x26, "lt": 0x3c, "gt": 0x3e, "quot": 0x22, "AMP": 0x26, "LT": 0x3c, "GT": 0x3e, "QUOT": 0x22,
      "COPY": 0xa9, "REG": 0xae,
    ]
    // In the order of ISO 8859-1, from 0xa0 on.
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro
      para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
      Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
      Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
      igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
      thorn yuml
      """
    for (place, name) in latin.split(whereSeparator: \.isWhitespace).enumerated() {
      values[String(name)] = UInt32(0xa0 + place)
    }
    return values
  }()

  /// Names that need one, each with its number in hexadecimal digits.
  private static let named: [String: UInt32] = {
    let names = """
      Tab:9 NewLine:a excl:21 num:23 dollar:24 percnt:25 apos:27 lpar:28 rpar:29 ast:2a plus:2b comma:2c period:2e
      sol:2f colon:3a semi:3b equals:3d quest:3f commat:40 lowbar:5f hyphen:2010 dash:2010 numero:2116
      Abreve:102 abreve:103 Aogon:104 aogon:105 Cacute:106 cacute:107 Ccaron:10c ccaron:10d Dcaron:10e dcaron:10f
      Dstrok:110 dstrok:111 Eogon:118 eogon:119 Ecaron:11a ecaron:11b Gbreve:11e gbreve:11f Idot:130 imath:131
      Lstrok:141 lstrok:142 Nacute:143 nacute:144 Ncaron:147 ncaron:148 Odblac:150 odblac:151 OElig:152 oelig:153
      Rcaron:158 rcaron:159 Sacute:15a sacute:15b Scedil:15e scedil:15f Scaron:160 scaron:161 Tcedil:162 tcedil:163
      Tcaron:164 tcaron:165 Uring:16e uring:16f Udblac:170 udblac:171 Yuml:178 Zacute:179 zacute:17a Zdot:17b zdot:17c
      Zcaron:17d zcaron:17e fnof:192 circ:2c6 tilde:2dc
      Alpha:391 Beta:392 Gamma:393 Delta:394 Epsilon:395 Zeta:396 Eta:397 Theta:398 Iota:399 Kappa:39a Lambda:39b Mu:39c
      Nu:39d Xi:39e Omicron:39f Pi:3a0 Rho:3a1 Sigma:3a3 Tau:3a4 Upsilon:3a5 Phi:3a6 Chi:3a7 Psi:3a8 Omega:3a9 alpha:3b1
      beta:3b2 gamma:3b3 delta:3b4 epsilon:3b5 zeta:3b6 eta:3b7 theta:3b8 iota:3b9 kappa:3ba lambda:3bb mu:3bc nu:3bd
      xi:3be omicron:3bf pi:3c0 rho:3c1 sigmaf:3c2 sigma:3c3 tau:3c4 upsilon:3c5 phi:3c6 chi:3c7 psi:3c8 omega:3c9
      ensp:2002 emsp:2003 numsp:2007 puncsp:2008 thinsp:2009 hairsp:200a zwnj:200c zwj:200d lrm:200e rlm:200f ndash:2013
      mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022
      hellip:2026 permil:2030 prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e frasl:2044 euro:20ac trade:2122
      larr:2190 uarr:2191 rarr:2192 darr:2193 harr:2194 part:2202 prod:220f sum:2211 minus:2212 radic:221a infin:221e
      cap:2229 asymp:2248 ne:2260 equiv:2261 le:2264 ge:2265 sdot:22c5 loz:25ca
      """
    var values: [String: UInt32] = [:]
    for entry in names.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: ":")
      values[String(parts[0])] = UInt32(parts[1], radix: 16)
    }
    return values
  }()
}
