// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// OFAC's lists as tables without headers: primary names, alternate names, addresses and the overflow of remarks, tied
/// by the number of the entry. `-0-` stands for nothing. Dates, numbers, places and weak aliases are in the remarks.
enum OFACTables {
  static func read(
    _ files: [(ListReader.File, ListFormat)], _ countries: CountryNames
  ) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    var numbers: [String: Int] = [:]
    var remarks: [String] = []
    for (file, format) in files where format == .ofacNames {
      try rows(of: file, width: 12, remarksField: 11) { line, row throws(ListFault) in
        guard numbers[row[0]] == nil else {
          throw ListFault(file: file.name, line: line, reason: "the number of an entry is there twice")
        }
        numbers[row[0]] = parsed.drafts.count
        parsed.drafts.append(draft(row, countries))
        parsed.lines.append(line)
        remarks.append(row[11])
      }
    }
    for (file, format) in files where format != .ofacNames {
      let width = format == .ofacAliases ? 5 : format == .ofacAddresses ? 6 : 2
      try rows(of: file, width: width, remarksField: format == .ofacComments ? 1 : nil) { line, row throws(ListFault) in
        // Another day's table beside this one's would take aliases from entries, or give them to none.
        guard let number = numbers[row[0]] else {
          throw ListFault(file: file.name, line: line, reason: "SDN.CSV has no entry of this number")
        }
        switch format {
        case .ofacAliases:
          parsed.drafts[number].add(name: row[3], countries)
          parsed.drafts[number].note(name: row[3], called: row[2])
          parsed.drafts[number].add(remark: row[4], "Alias")
        case .ofacAddresses:
          parsed.drafts[number].add(address: Array(row[2...4]))
          parsed.drafts[number].add(remark: row[5], "Address")
          if parsed.drafts[number].kind != .person {
            parsed.drafts[number].add(country: row[4], label: "Country", countries)
          }
        default: remarks[number] += row[1]
        }
      }
    }
    for (number, text) in remarks.enumerated() { add(remarks: text, to: &parsed.drafts[number], countries) }
    return parsed
  }

  private static func rows(
    of file: ListReader.File, width: Int, remarksField: Int? = nil, _ take: (Int, [String]) throws(ListFault) -> Void
  ) throws(ListFault) {
    var fault: ListFault?
    let end = PublishedTable.scan(file, .published()) { line, fields in
      // The files end with the end-of-file mark of another age.
      if fields == ["\u{1A}"] { return nil }
      guard fields.count == width else { return .ragged(line: line) }
      let row = fields.enumerated().map { number, field in
        let text = PublishedTable.trimmed(field)
        // Remarks may be cut between two words; what goes on in the next table is another word then.
        return text == "-0-" ? "" : number == remarksField ? field : text
      }
      do throws(ListFault) { try take(line, row) } catch {
        fault = error
        return .tooLarge
      }
      return nil
    }
    if let fault { throw fault }
    if case .ragged(let line) = end {
      throw ListFault(file: file.name, line: line, reason: "the row has not \(width) fields")
    }
    if let end { throw ListFault(end, in: file.name) }
  }

  /// Fields: number, name, type, programmes, title, call sign, type, tonnage, gross tonnage, flag and owner of a vessel,
  /// remarks.
  private static func draft(_ row: [String], _ countries: CountryNames) -> EntryDraft {
    var draft = EntryDraft(row[0])
    draft.kind = row[2].isEmpty ? .organisation : OFACList.kind(row[2])
    draft.add(name: row[1], isMain: true, countries)
    // `SDGT] [IFSR` is two programmes.
    for programme in row[3].split(whereSeparator: { "[]".contains($0) }) { draft.add(programme: String(programme)) }
    draft.add(remark: row[4], "Title")
    draft.add(number: row[5], type: "Call sign", countries)
    draft.add(remark: row[6], "Type of vessel")
    draft.add(remark: row[7], "Tonnage")
    draft.add(remark: row[8], "Gross registered tonnage")
    draft.add(country: row[9], label: "Flag", countries)
    draft.add(remark: row[10], "Owner")
    return draft
  }

  private static func add(remarks: String, to draft: inout EntryDraft, _ countries: CountryNames) {
    for part in remarks.split(separator: ";") {
      var text = EntryDraft.line(String(part))
      if text.hasSuffix(".") { text.removeLast() }
      if !text.isEmpty { add(remark: text, to: &draft, countries) }
    }
  }

  private static func add(remark whole: String, to draft: inout EntryDraft, _ countries: CountryNames) {
    func after(_ word: String, _ text: String) -> String? {
      text.hasPrefix("\(word) ") ? String(text.dropFirst(word.count + 1)) : nil
    }
    let text = after("alt.", whole) ?? whole
    if let date = after("DOB", text) { return draft.add(birth: date) }
    if let place = after("POB", text) { return draft.add(placeOfBirth: [place]) }
    if let country = after("nationality", text) ?? after("citizen", text) {
      return draft.add(country: country, countries)
    }
    if let sex = after("Gender", text) { return draft.add(sex: sex) }
    // In remarks, a name in quotes is what OFAC calls a weak alias.
    for type in ["a.k.a.", "f.k.a.", "n.k.a."] {
      guard let name = after(type, text)?.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) else { continue }
      draft.note(name: name, called: type)
      return draft.add(name: name, isWeak: true, countries)
    }
    // Currencies are many, and new ones come: `Digital Currency Address - XBT 1abc`.
    let wallet = text.prefixMatch(of: /Digital Currency Address - \w+(?= )/).map { String($0.output) }
    let known = numberTypes.first { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    guard let type = wallet ?? known ?? otherNumberType(of: text) else {
      return draft.add(remark: whole, "Remarks")
    }
    var number = text.dropFirst(type.count)
    var country = ""
    // `Passport A123456 (Utopia) issued 1 Jan 2020`: who issued it is in the brackets, and what follows is no number.
    // Of `123 (Harbour Province) (Utopia)` the country is in the last ones.
    if let open = number.firstIndex(of: "("), let close = number[open...].firstIndex(of: ")") {
      let groups = number[open...].matches(of: /\(([^()]*)\)/).map { String($0.output.1) }
      country = groups.last { countries.alpha3($0) != nil } ?? String(number[number.index(after: open)..<close])
      number = number[..<open]
      if text[close...].count > 1 { draft.add(remark: whole, "Remarks") }
    }
    for word in [" issued ", " expires "] {
      guard let end = number.firstRange(of: word) else { continue }
      number = number[..<end.lowerBound]
      draft.add(remark: whole, "Remarks")
    }
    draft.add(
      number: number.trimmingCharacters(in: CharacterSet(charactersIn: " #:")), type: type, country: country, countries)
  }

  /// How a remark begins that holds a number of a kind that is not among `numberTypes`, for OFAC makes new ones:
  /// `Turkish Identification Number 10298480866 (Turkey)`.
  private static func otherNumberType(of text: String) -> String? {
    let words = /[^0-9();:]*\b(?:No\.|Number|ID|Card|Code|License|Passport|Certificate|#)(?=\s+\S*\d)/
    guard let type = text.prefixMatch(of: words).map({ String($0.output) }), OFACList.isNumber(type) else { return nil }
    return type
  }

  /// How the remarks begin that hold a number, the longer of two first.
  private static let numberTypes = [
    "Passport", "Stateless Person Passport", "Diplomatic Passport", "National ID No.", "National Foreign ID Number",
    "Personal ID Card", "Identification Number", "Tax ID No.", "Registration ID", "Registration Number",
    "Business Registration Number", "Business Number", "Company Number", "Commercial Registry Number",
    "Trade License No.", "Enterprise Number", "Public Registration Number", "Government Gazette Number",
    "Registered Charity No.", "Unified Social Credit Code (USCC)", "Birth Certificate Number", "Driver's License No.",
    "Refugee ID Card", "Residency Number", "Travel Document Number", "VisaNumberID", "SSN", "D.N.I.", "C.U.R.P.",
    "R.F.C.", "C.U.I.T.", "C.U.I.", "C.U.I.P.", "Cedula No.", "Cedula de Ciudadania", "Cedula de Residencia",
    "Cartilla de Servicio Militar Nacional", "Electoral Registry No.", "NIT #", "RUC #", "RIF #", "I.F.E.", "RTN",
    "V.A.T. Number", "UAE Identification", "Kenyan ID No.", "Bosnian Personal ID No.", "Italian Fiscal Code",
    "LE Number",
    "Matricula Mercantil No", "Dubai Chamber of Commerce Membership No.", "SWIFT/BIC", "BIK (RU)", "D-U-N-S Number",
    "Legal Entity Number", "Vessel Registration Identification", "MMSI", "Other Vessel Call Sign",
    "Aircraft Tail Number",
    "Aircraft Construction Number (also called L/N or S/N or F/N)", "Aircraft Manufacturer's Serial Number (MSN)",
    "Aircraft Serial Identification", "Aircraft Mode S Transponder Code", "Digital Currency Address",
  ]
}
