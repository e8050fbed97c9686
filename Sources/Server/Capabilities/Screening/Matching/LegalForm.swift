// SPDX-License-Identifier: Apache-2.0

/// Legal forms of organisations (ISO 20275 lists them by country), each under its usual short form, so that
/// `Aktiengesellschaft` is `AG` and `Limited` is `LTD`.
enum LegalForm {
  /// Takes the legal forms out of a name's words, wherever they stand.
  /// - Returns: what remains, the short forms in their order, and how many of the remaining words stand behind a form
  ///   that ends a name. A name that is nothing else is left as it is.
  static func parted(_ words: [String]) -> (name: [String], forms: [String], behind: Int) {
    var (name, forms): ([String], [String]) = ([], [])
    var end: Int?
    var index = 0
    while index < words.count {
      var taken = 0
      // Of most words no form begins with them.
      let most = min(longestByFirstWord[words[index]] ?? 0, words.count - index)
      for length in stride(from: most, through: 1, by: -1) {
        let phrase = words[index..<index + length].joined(separator: " ")
        guard let form = shortForms[phrase], stands(phrase, isFirst: index == 0, isLast: index + length == words.count)
        else { continue }
        forms.append(form)
        taken = length
        if end == nil, !name.isEmpty, ends.contains(form) || phrase == "CORP" { end = name.count }
        break
      }
      if taken == 0 { name.append(words[index]) }
      index += max(taken, 1)
    }
    return name.isEmpty ? (words, [], 0) : (name, forms, end.map { name.count - $0 } ?? 0)
  }

  /// Whether a word is a legal form but for two neighbouring letters that are swapped, or a long one but for any other
  /// slip behind its first letter, as `COMPAMY` and `LIMTED`.
  static func isMisspelt(_ word: [UInt8]) -> Bool {
    if word.count >= slipMin - 1, let first = word.first,
      longForms[Int(first & 31)].contains(where: { EditDistance.between(word, $0, atMost: 1) == 1 })
    {
      return true
    }
    return hasSwappedLetters(word)
  }

  /// Of shorter forms a slip makes other words too often.
  private static let slipMin = 7
  /// Forms of that many letters, by the first one.
  private static let longForms: [[[UInt8]]] = (0..<32).map { letter in
    lettersOfForms.filter { $0.count >= slipMin && Int($0[0] & 31) == letter }
  }

  private static func hasSwappedLetters(_ word: [UInt8]) -> Bool {
    guard word.count >= 3, word.count <= longestWord, lettersByLength[word.count].contains(letterBits(word)) else {
      return false
    }
    var swapped = word
    for index in word.indices.dropLast() where word[index] != word[index + 1] {
      swapped.swapAt(index, index + 1)
      if lettersOfForms.contains(swapped) { return true }
      swapped.swapAt(index, index + 1)
    }
    return false
  }

  private static let lettersOfForms = Set(
    shortForms.keys.filter { !$0.contains(" ") && $0.utf8.count >= 3 }.map { Array($0.utf8) })
  private static let longestWord = 20
  /// Which letters the forms of each length have: two letters that are swapped change none of it.
  private static let lettersByLength: [Set<UInt32>] = (0...longestWord).map { count in
    Set(lettersOfForms.filter { $0.count == count }.map(letterBits))
  }

  private static func letterBits(_ word: [UInt8]) -> UInt32 { word.reduce(0) { $0 | 1 << UInt32($1 & 31) } }

  /// How many words the longest form has that begins with a word.
  private static let longestByFirstWord: [String: Int] = {
    var longest: [String: Int] = [:]
    for phrase in shortForms.keys {
      let words = phrase.split(separator: " ").map(String.init)
      guard let first = words.first else { continue }
      longest[first] = max(longest[first] ?? 0, words.count)
    }
    return longest
  }()

  /// What follows one of these short forms is where the organisation or its branch is. `Company` and `Corporation` stand
  /// within names too.
  private static let ends: Set<String> = ["INC", "LTD", "LLC", "PLC", "GMBH"]

  /// A single letter or a word that names use too is a form only where forms stand: at an end.
  private static func stands(_ phrase: String, isFirst: Bool, isLast: Bool) -> Bool {
    isLast || (isFirst ? !lastOnly.contains(phrase) : !endsOnly.contains(phrase))
  }

  /// Forms that stand behind the name only: `EV Motors` makes vehicles and is no association.
  private static let lastOnly: Set<String> = ["EV", "E V"]

  private static let endsOnly: Set<String> = [
    "A S", "A B", "AD", "AB", "AS", "SE", "SA", "NA", "N A", "AO", "PT", "CO", "EST", "RT", "KG", "OU", "AL", "SL",
    "DD", "S A", "L P", "LP", "A G", "S E", "K K", "KK", "AE", "A E", "PJS", "EV", "E V",
  ]

  private static let shortForms: [String: String] = {
    var forms: [String: String] = [:]
    for line in table.split(separator: "\n") {
      let sides = line.split(separator: ":", maxSplits: 1)
      let short = sides[0].split(separator: " ").joined()
      for phrase in [sides[0]] + (sides.count > 1 ? sides[1].split(separator: ",") : []) {
        let words = phrase.split(separator: " ")
        forms[words.joined(separator: " ")] = short
        forms[words.joined()] = short
      }
    }
    return forms
  }()

  /// Short form, then its other spellings, in the letters of Doc 9303-3 §6.
  private static let table = """
    LTD:LIMITED,CO LTD,CO LIMITED,COMPANY LIMITED,LTD CO,PTY LTD,PTE LTD,PVT LTD
    LTD:PRIVATE LIMITED,PRIVATE LTD,PTE LIMITED,PTY LIMITED,PVT LIMITED,P LTD,P LIMITED
    LTD:PROPRIETARY LIMITED,PROPRIETARY LTD
    PLC:P L C,PUBLIC LIMITED COMPANY,PUBLIC LTD CO,PUBLIC LTD COMPANY,PUBLIC LIMITED CO
    LLC:L L C,LIMITED LIABILITY COMPANY,LIMITED LIABILITY CO,FZ LLC,FZE,FZCO,FZC,WLL,W L L
    LLC:LTD LIABILITY CO,LTD LIABILITY COMPANY,FREE ZONE ESTABLISHMENT,FREE ZONE COMPANY
    LLP:L L P,LIMITED LIABILITY PARTNERSHIP
    LP:L P,LIMITED PARTNERSHIP,LTD PARTNERSHIP
    INC:INCORPORATED
    CORP:CORPORATION
    CO:COMPANY,CIE,COMPAGNIE,CIA
    NA:N A,NATIONAL ASSOCIATION
    GMBH:G M B H,GESELLSCHAFT MIT BESCHRAENKTER HAFTUNG,GESELLSCHAFT MIT BESCHRANKTER HAFTUNG,MBH,GESMBH
    GMBH:GESELLSCHAFT MBH
    AG:A G,AKTIENGESELLSCHAFT
    KG:K G,KOMMANDITGESELLSCHAFT,GMBH UND CO KG,GMBH CO KG,GMBH AND CO KG
    KGAA:KOMMANDITGESELLSCHAFT AUF AKTIEN
    OHG:OFFENE HANDELSGESELLSCHAFT
    SE:S E,SOCIETAS EUROPAEA
    SA:S A,SOCIETE ANONYME,SOCIEDAD ANONIMA,SOCIEDADE ANONIMA,SOCIETA ANONIMA,SOCIEDAD ANONYMA
    SADECV:S A DE C V,SA DE CV,SA DE C V,SOCIEDAD ANONIMA DE CAPITAL VARIABLE,SOCIEDAD ANONIMA DE CV
    SDERL:S DE R L,S DE RL,S DE RL DE CV
    SARL:S A R L,SOCIETE A RESPONSABILITE LIMITEE
    SAS:S A S,SOCIETE PAR ACTIONS SIMPLIFIEE
    SNC:S N C
    SPA:S P A,SOCIETA PER AZIONI
    SRL:S R L,SOCIETATEA CU RASPUNDERE LIMITATA,SOCIETATE CU RASPUNDERE LIMITATA
    SRL:SOCIETA A RESPONSABILITA LIMITATA,SOCIEDAD DE RESPONSABILIDAD LIMITADA
    SL:S L,SOCIEDAD LIMITADA
    SLU:S L U
    LDA:LIMITADA,LTDA
    BV:B V,BESLOTEN VENNOOTSCHAP
    NV:N V,NAAMLOZE VENNOOTSCHAP
    AB:A B,AKTIEBOLAG,AKTIEBOLAGET,AB PUBL
    AS:A S,AKSJESELSKAP,AKTIESELSKAB,ANONIM SIRKETI,ANONIM SIRKET
    ASA:A S A
    APS:A P S,ANPARTSSELSKAB
    OY:O Y,OSAKEYHTIO,OSAKEYHTIOE
    OYJ:JULKINEN OSAKEYHTIO,JULKINEN OSAKEYHTIOE
    SIA:SABIEDRIBA AR IEROBEZOTU ATBILDIBU
    UAB:UZDAROJI AKCINE BENDROVE
    OU:OSAUHING,OSAUEHING
    SPZOO:SP Z O O,SPZ OO,SP Z OO,SPOLKA Z OGRANICZONA ODPOWIEDZIALNOSCIA
    SRO:S R O,SPOL S R O,SPOLECNOST S RUCENIM OMEZENYM
    DOO:D O O,DRUSTVO S OGRANICENOM ODGOVORNOSCU
    DD:D D
    AD:A D
    KFT:KORLATOLT FELELOSSEGU TARSASAG,KORLATOLT FELELOESSEGU TARSASAG
    ZRT:ZARTKORUEN MUKODO RESZVENYTARSASAG,ZARTKOERUEN MUEKOEDO RESZVENYTARSASAG
    OOO:O O O,OBSHCHESTVO S OGRANICHENNOI OTVETSTVENNOSTIU,OBSHCHESTVO S OGRANICHENNOY OTVETSTVENNOSTYU
    OOO:OBSCHESTVO S OGRANICHENNOI OTVETSTVENNOSTYU
    AO:A O,AKTSIONERNOE OBSHCHESTVO,AKTSIONERNOYE OBSHCHESTVO
    OAO:OTKRYTOYE AKTSIONERNOYE OBSHCHESTVO
    OAO:O A O,OTKRYTOE AKTSIONERNOE OBSHCHESTVO,OJSC,OPEN JOINT STOCK COMPANY
    ZAO:ZAKRYTOYE AKTSIONERNOYE OBSHCHESTVO
    ZAO:Z A O,ZAKRYTOE AKTSIONERNOE OBSHCHESTVO,CJSC,CLOSED JOINT STOCK COMPANY
    PAO:PUBLICHNOYE AKTSIONERNOYE OBSHCHESTVO
    PAO:P A O,PUBLICHNOE AKTSIONERNOE OBSHCHESTVO,PJSC,PUBLIC JOINT STOCK COMPANY,PUBLIC JSC,PJS
    JSC:J S C,JOINT STOCK COMPANY,JOINT STOCK CO
    TOO:T O O
    FGUP:FEDERAL STATE UNITARY ENTERPRISE,FEDERALNOE GOSUDARSTVENNOE UNITARNOE PREDPRIIATIE
    FGUP:FEDERALNOYE GOSUDARSTVENNOYE UNITARNOYE PREDPRIYATIYE,FEDERALNOE GOSUDARSTVENNOE UNITARNOE PREDPRIYATIE
    EOOD:
    OOD:O O D
    LTDSTI:LIMITED SIRKETI,LTD STI
    SDNBHD:SDN BHD,SENDIRIAN BERHAD
    BHD:BERHAD
    PT:P T,PERSEROAN TERBATAS
    TBK:
    KK:K K,KABUSHIKI KAISHA
    SAL:S A L
    AE:A E,ANONYMI ETAIREIA,ANONIMI ETAIRIA
    EIRL:E I R L,EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA
    EV:E V,EINGETRAGENER VEREIN
    TOV:TOVARYSTVO Z OBMEZHENOIU VIDPOVIDALNISTIU,TOVARYSTVO Z OBMEZHENOYU VIDPOVIDALNISTYU
    EST:ESTABLISHMENT
    """
}
