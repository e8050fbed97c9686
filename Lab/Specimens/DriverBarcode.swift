// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The payload of a driving licence's PDF417 (AAMVA DL/ID 2020, Annex D; version 10).
///
/// Utopia has no issuer number, so its licences carry the one of the standard's own example, 636000, and with it the
/// jurisdiction VA and the country USA, whose date order (MMDDCCYY) they therefore use.
enum DriverBarcode {
  static func payload(_ holder: Holder, _ papers: Papers, categories: String) -> String {
    let given = Transliteration.words(of: holder.givenNames)
    let inches = (Double(holder.height) / 2.54).rounded()
    let surname = Transliteration.words(of: holder.surname).joined(separator: " ")
    let others = given.count > 1 ? given.dropFirst().joined(separator: " ") : "NONE"
    let sex = holder.sex == .male ? "1" : holder.sex == .female ? "2" : "9"
    let elements: [String] = [
      "DAQ\(papers.number)",
      "DCS\(surname)",
      "DDEN",
      "DAC\(given.first ?? "NONE")",
      "DDFN",
      "DAD\(others)",
      "DDGN",
      "DCA\(categories)",
      "DCBNONE",
      "DCDNONE",
      "DBD\(papers.issueDate.barcodeStyle)",
      "DBB\(holder.birthDate.barcodeStyle)",
      "DBA\(papers.expiryDate.barcodeStyle)",
      "DBC\(sex)",
      "DAU\(pad(Int(inches), 3)) in",
      "DAY\(holder.eyes.rawValue)",
      "DAG\(Self.address(holder.street))",
      "DAI\(Self.address(holder.town))",
      "DAJVA",
      "DAK\(holder.postalCode)  ",
      "DCF\(papers.number)\(papers.issueDate.barcodeStyle)",
      "DCGUSA",
      "DDAN",
      "DDB01012026",
    ]
    let subfile = "DL" + elements.joined(separator: "\n") + "\r"
    let header = "@\n\u{1E}\rANSI 636000100101"
    let offset = header.utf8.count + 10
    return header + "DL" + pad(offset, 4) + pad(subfile.utf8.count, 4) + subfile
  }

  /// An address line in the capital Latin letters that every reader knows; house numbers stay.
  private static func address(_ line: String) -> String {
    line.split(separator: " ").map { word in
      word.contains { $0.isNumber } ? word.uppercased() : Transliteration.words(of: String(word)).joined(separator: " ")
    }.joined(separator: " ")
  }
}
