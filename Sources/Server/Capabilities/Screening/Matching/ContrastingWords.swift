// SPDX-License-Identifier: Apache-2.0

/// Words of organisations' and vessels' names that come from a closed list, such as countries and points of the
/// compass. Two different ones are two names, however few letters they differ by: `Iran` is no slip for `Iraq`, nor
/// `North` for `South`. What is in no list may be a slip for either.
enum ContrastingWords {
  enum Kind {
    /// A country, province or city with its adjective. It tells names apart that have nothing else of their own, as
    /// `Bank of Oman` and `Bank of Iran`; others may be of one group of companies.
    case place
    /// The rest tells names apart whatever else they have.
    case other
  }

  private struct Meaning {
    let list: Int
    let line: Int
  }

  /// Whether a word is in one of the lists or has a digit: no other one contrasts.
  static func mayContrast(_ word: [UInt8]) -> Bool { meaning(of: word) != nil || word.contains(where: isDigit) }

  /// Of which kind the contrast of two words is; nil for none.
  static func contrast(_ one: [UInt8], _ other: [UInt8]) -> Kind? {
    if let first = meaning(of: one) {
      guard let second = meaning(of: other), first.list == second.list, first.line != second.line else { return nil }
      return first.list == 0 ? .place : .other
    }
    // `18TH` and `27TH`.
    guard one.contains(where: isDigit), other.contains(where: isDigit) else { return nil }
    let (mine, theirs) = (one.filter(isDigit), other.filter(isDigit))
    return mine == theirs ? nil : .other
  }

  /// Whether a word names what every country has, or what is told apart by its number, as military units are.
  static func isInstitution(_ word: [UInt8]) -> Bool { institutions.contains(word) }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static let institutions = Set(
    words: """
    CENTRAL ISLAMIC ROYAL FEDERAL REPUBLIC EMBASSY CONSULATE PORT AIRPORT AUTHORITY CHAMBER COUNCIL COMMITTEE \
    COURT POLICE NAVY FORCE FORCES DEFENSE STOCK EXCHANGE RESERVE POST RAILWAY RAILWAYS REFINERY MINING COAL \
    CEMENT CLUB UNION AIR AIRWAYS AREA REGION PROVINCE CITY UNIT BRIGADE BATTALION REGIMENT SQUADRON ARMY CORPS \
    FLEET BUREAU ACADEMY SCHOOL FACTORY PLANT INSTITUTE TERMINAL BLOCK
    """)

  private static func meaning(of word: [UInt8]) -> Meaning? { PackedWord(word).flatMap { meanings[$0] } }

  private static let meanings: [PackedWord: Meaning] = {
    var meanings: [PackedWord: Meaning] = [:]
    for (list, lines) in lists.enumerated() {
      for (line, words) in lines.split(separator: ",").enumerated() {
        for word in words.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
          meanings[PackedWord(ofTable: word)] = Meaning(list: list, line: line)
        }
      }
    }
    return meanings
  }()

  /// Lists of words, and in each list what means the same, parted by commas.
  private static let lists = [
    places, "NORTH NORTHERN, SOUTH SOUTHERN, EAST EASTERN, WEST WESTERN", "UPPER, LOWER", "OLD, NEW",
    "IMPORT IMPORTS, EXPORT EXPORTS",
    "FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH, TENTH, ELEVENTH, TWELFTH",
  ]

  /// Countries with their adjectives, provinces of China (ISO 3166-2:CN), and cities. A city that gives its country the
  /// name is one with it. Shaanxi is one with Shanxi: Pinyin without tones writes both alike, and so do many lists.
  private static let places = """
    AFGHANISTAN AFGHAN, ALBANIA ALBANIAN, ALGERIA ALGERIAN ALGIERS, ANDORRA, ANGOLA ANGOLAN, ARGENTINA ARGENTINE,
    ARMENIA ARMENIAN, AUSTRALIA AUSTRALIAN, AUSTRIA AUSTRIAN, AZERBAIJAN AZERBAIJANI, BAHAMAS, BAHRAIN BAHRAINI,
    BANGLADESH, BARBADOS, BELARUS BELARUSIAN, BELGIUM BELGIAN, BELIZE, BENIN, BHUTAN, BOLIVIA BOLIVIAN, BOSNIA
    BOSNIAN, BOTSWANA, BRAZIL BRASIL BRAZILIAN, BRUNEI, BULGARIA BULGARIAN, BURKINA, BURUNDI, CAMBODIA CAMBODIAN,
    CAMEROON CAMEROUN, CANADA CANADIAN, CHAD, CHILE CHILEAN, CHINA CHINESE, COLOMBIA COLOMBIAN, COMOROS, CONGO
    CONGOLESE, CROATIA CROATIAN, CUBA CUBAN, CYPRUS, CZECH CZECHIA, DENMARK DANISH, DJIBOUTI, DOMINICA, ECUADOR,
    EGYPT EGYPTIAN, ERITREA ERITREAN, ESTONIA ESTONIAN, ETHIOPIA ETHIOPIAN, FIJI, FINLAND FINNISH, FRANCE FRENCH,
    GABON, GAMBIA, GEORGIA GEORGIAN, GERMANY GERMAN DEUTSCHLAND, GHANA GHANAIAN, GREECE GREEK, GUATEMALA, GUINEA,
    GUYANA, HAITI HAITIAN, HONDURAS, HUNGARY HUNGARIAN, ICELAND ICELANDIC, INDIA INDIAN, INDONESIA INDONESIAN, IRAN
    IRANIAN, IRAQ IRAQI, IRELAND IRISH, ISRAEL ISRAELI, ITALY ITALIA ITALIAN, JAMAICA, JAPAN JAPANESE, JORDAN
    JORDANIAN, KAZAKHSTAN KAZAKH, KENYA KENYAN, KOREA KOREAN, KOSOVO, KUWAIT KUWAITI, KYRGYZSTAN KYRGYZ, LAOS,
    LATVIA LATVIAN, LEBANON LEBANESE, LESOTHO, LIBERIA LIBERIAN, LIBYA LIBYAN, LITHUANIA LITHUANIAN, LUXEMBOURG,
    MACEDONIA, MADAGASCAR, MALAWI, MALAYSIA MALAYSIAN, MALDIVES, MALI MALIAN, MALTA MALTESE, MAURITANIA, MAURITIUS,
    MEXICO MEXICAN, MOLDOVA MOLDOVAN, MONACO, MONGOLIA MONGOLIAN, MONTENEGRO, MOROCCO MOROCCAN, MOZAMBIQUE, MYANMAR
    BURMA, NAMIBIA, NEPAL, NETHERLANDS DUTCH, NICARAGUA, NIGER, NIGERIA NIGERIAN, NORWAY NORWEGIAN, OMAN OMANI,
    PAKISTAN PAKISTANI, PALESTINE PALESTINIAN, PANAMA, PARAGUAY, PERU PERUVIAN, PHILIPPINES PHILIPPINE, POLAND
    POLISH, PORTUGAL PORTUGUESE, QATAR QATARI, ROMANIA ROMANIAN, RUSSIA RUSSIAN, RWANDA, SALVADOR, SAMOA, SAUDI,
    SENEGAL, SERBIA SERBIAN, SEYCHELLES, SINGAPORE, SLOVAKIA SLOVAK, SLOVENIA SLOVENIAN, SOMALIA SOMALI, SPAIN
    SPANISH, SUDAN SUDANESE, SURINAME, SWEDEN SWEDISH, SWITZERLAND SWISS SCHWEIZ SUISSE, SYRIA SYRIAN, TAIWAN,
    TAJIKISTAN TAJIK, TANZANIA, THAILAND THAI, TOGO, TONGA, TUNISIA TUNISIAN TUNIS, TURKEY TURKISH TURKIYE,
    TURKMENISTAN TURKMEN, UGANDA, UKRAINE UKRAINIAN, URUGUAY, UZBEKISTAN UZBEK, VENEZUELA VENEZUELAN, VIETNAM
    VIETNAMESE, YEMEN YEMENI, ZAMBIA, ZIMBABWE, ANHUI, BEIJING, CHONGQING, FUJIAN, GANSU, GUANGDONG, GUANGXI,
    GUIZHOU, HAINAN, HEBEI, HEILONGJIANG, HENAN, HUBEI, HUNAN, JIANGSU, JIANGXI, JILIN, LIAONING, NINGXIA, QINGHAI,
    SHAANXI SHANXI, SHANDONG, SHANGHAI, SICHUAN, TIANJIN, TIBET, XINJIANG, YUNNAN, ZHEJIANG, ADEN, ALEPPO, AMMAN,
    ANKARA, BAGHDAD, BAKU, BASRA, BEIRUT, BELGRADE, BERLIN, BREMEN, BUCHAREST, BUDAPEST, CAIRO, DAMASCUS, DAKAR,
    DHAKA, DOHA, DUBAI, HAMBURG, HANOI, HARARE, HAVANA, HOMS, ISFAHAN, ISTANBUL, KABUL, KAMPALA, KARACHI, KHARTOUM,
    KIEV KYIV, LAGOS, LAHORE, LIMA, LISBON, LONDON, MADRID, MANAMA, MANILA, MASHHAD, MILAN, MINSK, MOSCOW, MUMBAI,
    MUNICH, MUSCAT, NAIROBI, PARIS, PRAGUE, PYONGYANG, RIGA, RIYADH, ROME, SANAA, SEOUL, SHIRAZ, SOFIA, TABRIZ,
    TALLINN, TASHKENT, TBILISI, TEHRAN, TIRANA, TOKYO, TRIPOLI, VIENNA, VILNIUS, WARSAW, YEREVAN, ZAGREB
    """
}
