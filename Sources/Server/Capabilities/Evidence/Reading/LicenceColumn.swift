// SPDX-License-Identifier: Apache-2.0

/// The fields of a driving licence by the order of ISO/IEC 18013-1 §6, for numbers too small to be read.
///
/// 1. The dates stand below one another at one left edge; that edge is the column.  2. From above: birth (3), issue
/// (4a), expiry (4b).  3. The two lines of the column above the first date are surname (1) and given names (2).
/// 4. The first line below the last date that can be a number is the licence's (5).
struct LicenceColumn {
  private let rows: [[OCRWord]]
  private let dates: PrintedDate.Order

  /// - Parameter dates: which number comes first in a date, as the template has it.
  init(lines: [[OCRWord]], dates: PrintedDate.Order) {
    self.dates = dates
    // A line may begin with its field number: every word may open a row.
    var rows: [[OCRWord]] = []
    for line in lines {
      for start in line.indices {
        var row = [line[start]]
        for word in line[(start + 1)...] {
          let last = row[row.count - 1].region
          guard Double(word.region.x - last.x - last.width) < Double(last.height) * 1.1 else { break }
          row.append(word)
        }
        rows.append(row)
      }
    }
    self.rows = rows.sorted { $0[0].region.midY < $1[0].region.midY }
  }

  func read() -> VisualZone {
    var zone = VisualZone()
    // A row begins with its date: the place of birth may follow it.
    let days = rows.compactMap { row in
      let value = VisualZoneReader.value(of: .birthDate, in: row, dates: dates)
      return value?.region.x == row[0].region.x ? value : nil
    }
    let columns = days.map { day in days.filter { near($0.region, day.region) } }
    guard let column = columns.max(by: { $0.count < $1.count }), column.count == 3,
      column[0].text < column[1].text, column[1].text < column[2].text
    else { return zone }
    for (field, value) in zip([VisualZone.Field.birthDate, .issueDate, .expiryDate], column) {
      zone.values[field] = value
    }
    let aligned = rows.filter { near($0[0].region, column[0].region) }
    let pitch = Double(column[1].region.y - column[0].region.y)
    let names = aligned.filter { $0[0].region.midY < column[0].region.midY - pitch * 0.5 }
      .compactMap { VisualZoneReader.value(of: .surname, in: $0) }.suffix(2)
    // The lines above must follow on the dates, each on the next: a title does not, and a line may not have been found.
    if let surname = names.first, let given = names.last, names.count == 2,
      column[0].region.midY - given.region.midY < pitch * 1.6,
      column[0].region.midY - surname.region.midY < pitch * 3.2
    {
      zone.values[.surname] = surname
      zone.values[.givenNames] = given
    }
    let below = aligned.filter { $0[0].region.midY > column[2].region.midY + pitch * 0.5 }
    zone.values[.documentNumber] = below.first.flatMap { VisualZoneReader.value(of: .documentNumber, in: $0) }
    return zone
  }

  private func near(_ a: Region, _ b: Region) -> Bool {
    abs(a.x - b.x) < max(a.height, b.height)
  }
}
