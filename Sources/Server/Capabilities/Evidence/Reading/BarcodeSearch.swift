// SPDX-License-Identifier: Apache-2.0

import CVision

/// What may be searched for the barcode of one picture, in all of its copies together. A picture of 14 KB that is
/// striped like the beginning of a PDF417 took 53 seconds of the processor (decision 249).
final class BarcodeEffort {
  /// Pixel rows behind something like a start pattern, which is what a search takes its time for: 0.2 ms each at most, as
  /// was measured. Worn licences whose symbol could not be read took 1,131 in one copy at most.
  static let rowsMax = 10_000

  var rows = rowsMax
}

/// Looks for the PDF417 of one side of a licence, where it costs least first.
struct BarcodeSearch {
  /// A barcode that was read, and its symbol with a margin of a fifth of its height.
  typealias Found = (reading: BarcodeReading, label: Region)

  let frame: Frame
  let page: Page
  var effort = BarcodeEffort()

  /// On the straightened page, which holds little beside the document; on the frame when no outline was found.
  func first() throws -> Found? { try page.outline == nil ? inFrame() : onPage(page.frame) }

  /// Where it seems to lie, on the other one of the two, on the page with its blur undone, and on the page twice as
  /// large: a symbol needs square modules.
  func others() throws -> Found? {
    if let found = try straightened() { return found }
    if let found = try page.outline == nil ? onPage(page.frame) : inFrame() { return found }
    if let found = try onPage(page.frame.sharpened()) { return found }
    let width = page.frame.width(page.frame.width * 2, most: Self.pixelsMax)
    return width > page.frame.width ? try onPage(page.frame.scaled(toWidth: width)) : nil
  }

  /// Of a page that is enlarged.
  private static let pixelsMax = 7_500_000

  /// Where a long rectangle of dense edges lies in the picture, straightened by itself: the page's outline may be wrong,
  /// and a symbol that is askew by five degrees is not read as it lies.
  func straightened() throws -> Found? {
    var corners = cvision_quad()
    let status = cvision_find_symbol(frame.handle, &corners)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    let symbol = Quad(corners)
    let height = Int((Double(Page.width) * symbol.edge(1) / max(1, symbol.edge(0))).rounded())
    let picture = try frame.rectified(symbol, width: Page.width, height: max(Self.heightMin, height))
    guard let read = try BarcodeReading.read(picture, effort) else { return nil }
    let placed = try BarcodeReading(payload: read.payload, region: symbol.region, source: read.source)
    return (placed, page.region(of: symbol.region, in: frame))
  }

  /// What can be straightened, in pixels.
  private static let heightMin = 16

  private func inFrame() throws -> Found? {
    try BarcodeReading.read(frame, effort).map { ($0, Self.label(page.region(of: $0.region, in: frame))) }
  }

  private func onPage(_ picture: Frame) throws -> Found? {
    let share = Double(page.frame.width) / Double(picture.width)
    return try BarcodeReading.read(picture, effort).map { ($0, Self.label($0.region.scaled(by: share))) }
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
