// SPDX-License-Identifier: Apache-2.0

extension AAMVA {
  /// Reads a payload, as decoded from the symbol.
  public static func parse(_ payload: String) throws(Failure) -> Licence {
    let envelope = try AAMVAEnvelope(payload)
    var dates = Dates(envelope)
    let elements = envelope.elements
    let birth = dates.read("DBB")
    let expiry = dates.read("DBA", noneIsZeros: true)
    let issue = dates.read("DBD")
    let address = address(elements)
    var flags: Set<Flag> = []
    // The standard of 2000 has no such element.
    if envelope.version >= 2, elements["DCF"] == nil { flags.insert(.documentDiscriminatorMissing) }
    if let state = jurisdictions[envelope.issuerNumber] {
      if let written = address.state, written != state { flags.insert(.issuerDoesNotMatchState) }
    } else {
      flags.insert(.issuerUnknown)
    }
    if let issue, let expiry, issue > expiry { flags.insert(.issuedAfterExpiry) }
    if let birth, let issue, birth > issue { flags.insert(.bornAfterIssue) }
    let under = (
      dates.read("DDH", noneIsZeros: true), dates.read("DDI", noneIsZeros: true), dates.read("DDJ", noneIsZeros: true)
    )
    if dates.metUnreadable { flags.insert(.dateUnreadable) }
    return Licence(
      kind: envelope.kind, issuerNumber: envelope.issuerNumber, version: envelope.version,
      jurisdictionVersion: envelope.jurisdictionVersion, number: elements["DAQ"], name: name(elements),
      birthDate: birth, expiryDate: expiry, issueDate: issue, sex: sex(elements["DBC"]), address: address,
      documentDiscriminator: elements["DCF"], height: elements["DAU"], eyeColour: elements["DAY"],
      vehicleClass: elements["DCA"], restrictions: elements["DCB"], endorsements: elements["DCD"],
      compliance: elements["DDA"], isOrganDonor: elements["DDK"] == "1", isVeteran: elements["DDL"] == "1",
      isLimitedDuration: elements["DDD"] == "1", under18Until: under.0, under19Until: under.1, under21Until: under.2,
      elements: elements, flags: Flag.allCases.filter(flags.contains))
  }

  /// The name of DCS, DAC and DAD, or of the older DCT (given names), DAB and DAA (full name, comma separated).
  private static func name(_ elements: [String: String]) -> Name {
    let full = elements["DAA"].map { parts(of: $0, at: ",") } ?? []
    let given = elements["DCT"].map { parts(of: $0, at: ", ") } ?? []
    let first = elements["DAC"] ?? given.first ?? full.dropFirst().first
    let middle =
      elements["DAD"]
      ?? (given.isEmpty ? Array(full.dropFirst(2)) : Array(given.dropFirst()))
      .joined(separator: " ")
    return Name(
      family: elements["DCS"] ?? elements["DAB"] ?? full.first, first: first,
      middle: middle.isEmpty ? nil : parts(of: middle, at: ",").joined(separator: " "),
      suffix: elements["DCU"] ?? elements["DAE"],
      familyTruncation: truncation(elements["DDE"]), firstTruncation: truncation(elements["DDF"]),
      middleTruncation: truncation(elements["DDG"]))
  }

  private static func parts(of value: String, at separators: String) -> [String] {
    value.split { separators.contains($0) }.map { $0.split(separator: " ").joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  private static func truncation(_ value: String?) -> Truncation {
    value.flatMap { Truncation(rawValue: $0.uppercased()) } ?? .unknown
  }

  /// 1 male, 2 female, 9 not specified; letters on early cards.
  private static func sex(_ value: String?) -> MRZ.Sex? {
    switch value?.uppercased() {
    case "1", "M": .male
    case "2", "F": .female
    case "9", "X": .unspecified
    default: nil
    }
  }

  private static func address(_ elements: [String: String]) -> Address {
    Address(
      street: elements["DAG"], street2: elements["DAH"], city: elements["DAI"],
      state: elements["DAJ"].map { $0.uppercased() }, postalCode: elements["DAK"].map(postalCode),
      country: elements["DCG"].map { $0.uppercased() })
  }

  /// Five digits, with four more where they are not filled up with zeros; other codes as written.
  private static func postalCode(_ value: String) -> String {
    let digits = value.filter { $0 != "-" && $0 != " " }
    guard digits.utf8.allSatisfy(\.isDigit) else { return value.uppercased() }
    guard digits.count == 9 else { return digits }
    let (five, four) = (digits.prefix(5), digits.suffix(4))
    return four == "0000" ? String(five) : "\(five)-\(four)"
  }

  /// Date elements in the country's order: USA MMDDCCYY, Canada CCYYMMDD; the other where that makes no sense.
  private struct Dates {
    private let elements: [String: String]
    private let yearFirst: Bool
    private(set) var metUnreadable = false

    init(_ envelope: AAMVAEnvelope) {
      elements = envelope.elements
      // The standard of 2000 wrote the year first everywhere.
      yearFirst = envelope.elements["DCG"]?.uppercased() == "CAN" || envelope.version <= 1
    }

    mutating func read(_ id: String, noneIsZeros: Bool = false) -> CalendarDate? {
      guard let written = elements[id] else { return nil }
      let digits = written.utf8.filter(\.isDigit)
      if noneIsZeros, digits.allSatisfy({ $0 == UInt8(ascii: "0") }) { return nil }
      guard digits.count == 8, let date = date(digits, yearFirst) ?? date(digits, !yearFirst) else {
        metUnreadable = true
        return nil
      }
      return date
    }

    private func date(_ digits: [UInt8], _ yearFirst: Bool) -> CalendarDate? {
      let (year, month, day) =
        yearFirst ? (digits[0..<4], digits[4..<6], digits[6..<8]) : (digits[4..<8], digits[0..<2], digits[2..<4])
      guard let year = decimal(year), (1900...2099).contains(year), let month = decimal(month), let day = decimal(day)
      else { return nil }
      return CalendarDate(year: year, month: month, day: day)
    }
  }
}
