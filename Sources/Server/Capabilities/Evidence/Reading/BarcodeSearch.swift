// SPDX-License-Identifier: Apache-2.0

/// Looks for the PDF417 of one side of a licence, where it costs least first.
struct BarcodeSearch {
  /// A barcode that was read, and its symbol with a margin of a fifth of its height.
  typealias Found = (reading: BarcodeReading, label: Region)

  let frame: Frame
  let page: Page

  /// On the straightened page, which holds little beside the document; on the frame when no outline was found.
  func first() throws -> Found? { try page.outline == nil ? inFrame() : onPage(page.frame) }

  /// On the other one of the two, on the page with its blur undone, and on the page twice as large: a symbol wants
  /// square modules.
  func others() throws -> Found? {
    if let found = try page.outline == nil ? onPage(page.frame) : inFrame() { return found }
    if let found = try onPage(page.frame.sharpened()) { return found }
    return try onPage(page.frame.scaled(toWidth: page.frame.width * 2))
  }

  private func inFrame() throws -> Found? {
    try BarcodeReading.read(frame).map { ($0, Self.label(page.region(of: $0.region, in: frame))) }
  }

  private func onPage(_ picture: Frame) throws -> Found? {
    let share = Double(page.frame.width) / Double(picture.width)
    return try BarcodeReading.read(picture).map { ($0, Self.label($0.region.scaled(by: share))) }
  }

  private static func label(_ symbol: Region) -> Region {
    symbol.grown(by: max(8, min(symbol.width, symbol.height) / 5))
  }
}

extension VisualZone {
  /// Whether the side prints what a barcode would say: name, number, birth and expiry.
  var namesHolder: Bool {
    [.surname, .givenNames, .documentNumber, .birthDate, .expiryDate].allSatisfy { values[$0] != nil }
  }
}
