// SPDX-License-Identifier: Apache-2.0

/// What kind of word a part of a name is, which decides what it weighs.
enum WordClass: UInt8, Sendable {
  /// A name.
  case plain
  /// One letter that stands for a name.
  case initial
  /// `ibn`, `van`, `the`, a title: it says little about who the person is.
  case particle
  /// Son or daughter of, in the Slavic form.
  case patronymic
  /// What very many organisations are called: `trading`, `group`.
  case generic
  /// A country, or a region such as Europe.
  case place
  /// Digits or a Roman number of an organisation.
  case number

  /// Whether it tells one organisation from another.
  var isDistinctive: Bool { self == .plain || self == .place }

  /// How much a particle tells.
  static let particleRarity = 0.12

  static func of(_ word: [UInt8], isPerson: Bool) -> WordClass {
    if isPerson {
      if word.count == 1 { return .initial }
      if particles.contains(word) { return .particle }
      return isPatronymic(word) ? .patronymic : .plain
    }
    if word.allSatisfy({ (48...57).contains($0) }) || romanNumbers.contains(word) { return .number }
    if stopWords.contains(word) { return .particle }
    if regions.contains(word) || generics.contains(word) { return .generic }
    return places.contains(word) ? .place : .plain
  }

  static let junior = Array("JUNIOR".utf8)
  static let senior = Array("SENIOR".utf8)

  /// Which of several persons of one name in a family a word of a person's name tells, from 0 on: `Sr.` the first,
  /// `Jr.` and `II` the second.
  static func generation(_ word: WordPairs.Facts, _ letters: @autoclosure () -> [UInt8]) -> Int? {
    guard !word.isConsonantal else { return nil }
    switch (word.count, word.first, word.second, word.last) {
    case (2, UInt8(ascii: "S"), _, UInt8(ascii: "R")): return 0
    case (2, UInt8(ascii: "J"), _, UInt8(ascii: "R")), (2, UInt8(ascii: "I"), _, UInt8(ascii: "I")): return 1
    case (3, UInt8(ascii: "I"), UInt8(ascii: "I"), UInt8(ascii: "I")): return 2
    case (6, UInt8(ascii: "S"), UInt8(ascii: "E"), UInt8(ascii: "R")): return letters() == senior ? 0 : nil
    case (6, UInt8(ascii: "J"), UInt8(ascii: "U"), UInt8(ascii: "R")): return letters() == junior ? 1 : nil
    default: return nil
    }
  }

  /// Whether a word is two of the particles in persons' names, written as one.
  static func isParticlePair(_ word: [UInt8]) -> Bool {
    guard (4...12).contains(word.count), let first = word.first else { return false }
    return particlesByLetter[Int(first & 31)].contains {
      $0.count > 1 && $0.count + 2 <= word.count && word.starts(with: $0)
        && particles.contains(word.dropFirst($0.count))
    }
  }

  /// Whether a particle tells whose son or daughter a person is.
  static func isDescent(_ word: [UInt8]) -> Bool { descents.contains(word) }

  private static let descents = ["BIN", "BEN", "IBN", "BINT"].map { Array($0.utf8) }

  private static func isPatronymic(_ word: [UInt8]) -> Bool {
    word.count > 6 && patronymicEnds.contains { word.suffix($0.count).elementsEqual($0) }
  }

  private static let patronymicEnds = ["OVICH", "EVICH", "OVYCH", "EVYCH", "OVITCH", "EVITCH", "OVNA", "EVNA", "IVNA"]
    .map { Array($0.utf8) }

  private static let particleWords =
    """
    AL EL UL UR AD AN AS AR AT DE DA DI DU DEL DELLA DOS DAS DO LA LE LOS LAS VAN VON DER DEN TEN TER ZU BIN BEN IBN \
    BINT BT OULD E Y DR MR MRS MS PROF PROFESSOR SHEIKH SHAYKH SHEIK SHAIKH SHEKH MULLAH MULLA MAULAVI MAULAWI MAWLAWI \
    HAJI HAJJI HAJ HAJJ GENERAL COLONEL MAJOR CAPTAIN LIEUTENANT SAYYED SAYED SYED SAYYID JR SR II III ALHAJI QARI \
    PRESIDENT PRAESIDENT PRASIDENT MONSIEUR MADAME MADAM SIR LADY LORD HERR FRAU DON DONA SENOR SENORA SMT SHRI \
    SHRIMATI AYATOLLAH SA LLC LTD INC
    """
  private static let particles = Set(words: particleWords)
  private static let particlesByLetter: [[[UInt8]]] = (0..<32).map { letter in
    particleWords.split(separator: " ").map { Array($0.utf8) }.filter { Int($0[0] & 31) == letter }
  }
  private static let stopWords = Set(
    words: "THE AND OF FOR UND ET Y E I DE DU DES DEL DELLA LA LE LES EL AL IN ON A MV MT MS SS FV")
  private static let romanNumbers = Set(words: "I II III IV V VI VII VIII IX X XI XII XIII XIV XV")
  private static let regions = Set(words: "EUROPE EUROPEAN EUROPA GLOBAL WORLDWIDE WORLD INTERNATIONAL INTL")
  private static let generics = Set(
    words: """
    GROUP GRUPPE GROUPE HOLDING HOLDINGS COMPANY COMPANIES CORPORATION CORP CO INDUSTRY INDUSTRIES INDUSTRIAL TRADING \
    TRADE IMPORT EXPORT COMMERCIAL COMMERCE ENTERPRISE ENTERPRISES SERVICE SERVICES SYSTEM SYSTEMS SOLUTIONS \
    TECHNOLOGY TECHNOLOGIES TECH ENGINEERING CONSTRUCTION DEVELOPMENT INVESTMENT INVESTMENTS FINANCE FINANCIAL CAPITAL \
    FUND FUNDS TRUST BANK BANKING BANCO BANQUE INSURANCE MANAGEMENT PARTNERS PARTNER ASSOCIATION ASSOCIATES SOCIETY \
    FOUNDATION ORGANIZATION ORGANISATION INSTITUTE CENTER CENTRE AGENCY NATIONAL STATE GENERAL UNITED SHIPPING MARINE \
    MARITIME TRANSPORT LOGISTICS AIRLINES AIRWAYS AVIATION OIL GAS PETROLEUM ENERGY ELECTRIC ELECTRONICS CHEMICAL \
    STEEL METAL FACTORY PLANT WORKS MANUFACTURING PRODUCTION PRODUCTS EQUIPMENT REAL ESTATE PROPERTY MEDICAL \
    PHARMACEUTICAL FOOD FOODS AGRICULTURAL SECURITIES TEXTILE BRANCH OFFICE DIVISION DEPARTMENT MINISTRY UNIVERSITY \
    RESEARCH SERIES \
    OBSHCHESTVENNAIA ORGANIZATSIIA OBLASTNAIA TSENTR ZAVOD KOMPANIIA GRUPPA
    """)
  private static let places = Set(
    words: """
    AFGHANISTAN ALBANIA ALGERIA ANGOLA ARGENTINA ARMENIA AUSTRALIA AUSTRIA AZERBAIJAN BAHRAIN BANGLADESH BELARUS \
    BELGIUM BOLIVIA BOSNIA BRASIL BRAZIL BULGARIA BURMA \
    CAMBODIA CAMEROON CANADA CHAD CHILE CHINA COLOMBIA CONGO CROATIA CUBA \
    CYPRUS CZECH DENMARK DEUTSCHLAND ECUADOR EGYPT ERITREA ESTONIA ETHIOPIA FINLAND FRANCE GEORGIA GERMANY GHANA \
    GREECE GUINEA HAITI HUNGARY ICELAND INDIA INDONESIA IRAN IRAQ IRELAND ISRAEL \
    ITALIA ITALY JAPAN JORDAN KAZAKHSTAN KENYA \
    KOREA KUWAIT KYRGYZSTAN LAOS LATVIA LEBANON LIBERIA LIBYA LITHUANIA LUXEMBOURG MALAYSIA MALI MALTA MEXICO MOLDOVA \
    MONGOLIA MOROCCO MYANMAR NEPAL NETHERLANDS NICARAGUA NIGERIA NORWAY OMAN PAKISTAN PANAMA PARAGUAY PERU PHILIPPINES \
    POLAND PORTUGAL QATAR ROMANIA RUSSIA RWANDA SCHWEIZ SERBIA SINGAPORE SLOVAKIA SLOVENIA SOMALIA SPAIN SUDAN SUISSE \
    SWEDEN SWITZERLAND SYRIA TAIWAN TAJIKISTAN TANZANIA THAILAND TUNISIA TURKEY TURKMENISTAN UGANDA UKRAINE URUGUAY \
    USA UZBEKISTAN VENEZUELA VIETNAM YEMEN ZAMBIA ZIMBABWE HONG KONG MACAU DUBAI LONDON PARIS MOSCOW BEIJING SHANGHAI \
    TEHRAN
    """)
}
