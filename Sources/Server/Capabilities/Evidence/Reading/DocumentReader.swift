import CVision
import DocumentCore
import Foundation

/// The reading of one image, stage by stage, on one thread.
struct DocumentReader {
  let settings: EvidenceSettings
  let text: TextReader
  let lines: LineReader
  let faces: FaceFinder

  private static let portraitJPEGQuality = 92
  private static let pageJPEGQuality = 85

  /// - Parameter clock: started before the picture was decoded.
  func read(
    _ frame: Frame, image: EvidenceImage, as expected: DocumentKind?, on today: CalendarDate, clock: StageClock
  ) throws -> ReadDocument {
    var clock = clock
    clock.mark("decode")
    let outline = try Page.outline(in: frame)
    clock.mark("page")
    var (page, zone) = try ZoneSearch(frame: frame, outline: outline, today: today).run(wanted: expected?.carriesMRZ)
    clock.mark("mrz")
    if let found = zone, !found.reading.isWhole {
      zone = try SecondReader(text: text, today: today).improved(found, in: page.frame) ?? found
      clock.mark("mrz-text")
    }
    let kindByZone = zone.flatMap { Self.kind(of: $0.reading) }

    var report = try faces.faces(in: page.frame)
    if zone == nil, report.faces.isEmpty { (page, report) = try turnedToFace(page, report) }
    clock.mark("faces")
    var visual: VisualZone?
    var kindByText: DocumentKind?
    if kindByZone != .nationalIDBack {
      let face = PortraitPlace.find(report, kind: nil, page: page.frame)
      let text = try PageText(
        page, blanks: [zone?.reading.region, face?.region].compactMap(\.self), kindIsKnown: kindByZone != nil,
        text: text, lines: lines)
      kindByText = text.kind
      visual = try (kindByZone ?? text.kind).flatMap(VisualTemplate.of).map { try text.fields($0) }
      visual = try visual.map { try confirmed($0, against: zone?.reading, in: text) }
      clock.mark("text")
    }
    var barcode: BarcodeReading?
    if zone == nil, expected == nil || expected == .drivingLicence, kindByText != .nationalIDFront {
      barcode = try readBarcode(frame, page)
      clock.mark("barcode")
    }
    let detected = kindByZone ?? kindByText ?? (barcode == nil ? nil : .drivingLicence)
    let portrait = PortraitPlace.find(report, kind: barcode == nil ? detected : nil, page: page.frame)
    var quality = try quality(
      of: frame, outline: page.outline, page: page,
      zones: [zone?.reading.region, portrait?.region].compactMap(\.self))
    if barcode != nil { quality.excuseLabel() }
    clock.mark("quality")

    var reading = DocumentReading(
      expected: expected, detected: detected,
      page: .init(
        width: page.frame.width, height: page.frame.height, outlined: page.outline != nil,
        corners: page.outline?.corners.flatMap { [$0.x.rounded(), $0.y.rounded()] } ?? []),
      mrz: zone?.reading, visualZone: visual, barcode: barcode, portrait: portrait, faces: report, quality: quality,
      checks: [], failure: nil)
    reading.checks = DocumentChecks(today: today).checks(of: reading)
    reading.failure = Readability.failure(of: reading)
    let portraitBytes = try portrait.map {
      try page.frame.cropped(to: $0.region).jpeg(quality: Self.portraitJPEGQuality)
    }
    let pageBytes = try page.frame.jpeg(quality: Self.pageJPEGQuality)
    clock.mark("pictures")
    return ReadDocument(
      image: image, reading: reading, page: pageBytes, portrait: portraitBytes, timings: clock.stages,
      processor: clock.processor)
  }

  /// Numbers that the zone's check digits vouch for, read again where print is ambiguous. Print that is to settle
  /// a doubt about the zone is read without knowledge of the zone.
  private func confirmed(_ visual: VisualZone, against mrz: MRZReading?, in text: PageText) throws -> VisualZone {
    guard let mrz, mrz.result.allCheckDigitsHold, let fields = mrz.fields else { return visual }
    var copy = visual
    let doubtful = mrz.doubtfulFields
    let numbers: [(VisualZone.Field, MRZ.FieldName, String?)] = [
      (.documentNumber, .documentNumber, fields.documentNumber),
      (.personalNumber, .optionalData, fields.optionalData1),
    ]
    for (field, origin, expected) in numbers where !doubtful.contains(origin) {
      guard let value = visual.values[field], let expected else { continue }
      copy.values[field] = try text.confirmed(value, against: expected)
    }
    return copy
  }

  /// The frame as it is, then the straightened page, as it is and twice as large: a symbol wants square modules.
  private func readBarcode(_ frame: Frame, _ page: Page) throws -> BarcodeReading? {
    let attempts: [() throws -> Frame] = [
      { frame }, { page.frame }, { try page.frame.scaled(toWidth: page.frame.width * 2) },
    ]
    for attempt in attempts {
      if let found = try BarcodeReading.read(attempt()) { return found }
    }
    return nil
  }

  /// A face shows which way up a page without a zone is.
  private func turnedToFace(_ page: Page, _ report: FaceReport) throws -> (Page, FaceReport) {
    // A page whose outline was found lies on its long edge; a whole frame may lie any way.
    for quarters in page.outline == nil ? [2, 1, 3] : [2] {
      let turned = try page.turned(quarters)
      let seen = try faces.faces(in: turned.frame)
      if !seen.faces.isEmpty { return (turned, seen) }
    }
    return (page, report)
  }

  /// Measures a picture that is not read. Where light covers a part of it, a barcode is looked for, as reading does:
  /// the white label of one that can be read is no glare.
  func inspect(_ frame: Frame) throws -> ImageQuality {
    let outline = try Page.outline(in: frame)
    var quality = try quality(of: frame, outline: outline, zones: [])
    guard quality.issues.contains(where: { $0.code == .glare }) else { return quality }
    let page = try outline.map { try Page.cut($0, from: frame) } ?? Page.whole(frame)
    if try readBarcode(frame, page) != nil { quality.excuseLabel() }
    return quality
  }

  /// Measures the document region, scaled to 1000 px (identity-documents §7).
  func quality(of frame: Frame, outline: Quad?, page: Page? = nil, zones: [Region]) throws -> ImageQuality {
    let (crop, tilt) = Page.crop(outline, in: frame)
    let measured = 1000
    let width = outline.map { max(Int($0.edge(0)), Int($0.edge(2))) } ?? frame.width
    let source = try page?.frame ?? outline.map { try Page.cut($0, from: frame).frame } ?? frame
    let scale = Double(measured) / Double(source.width)
    let plane = try LumaPlane(source.scaled(toWidth: measured))
    let scaled = zones.map { zone in
      Region(
        x: Int(Double(zone.x) * scale), y: Int(Double(zone.y) * scale), width: Int(Double(zone.width) * scale),
        height: Int(Double(zone.height) * scale))
    }
    return QualityInspector(settings.documentThresholds).inspect(
      plane, subjectWidth: width, crop: crop, tilt: tilt, zones: scaled)
  }

  /// The kind that a zone makes sure: passports carry TD3, backs of cards TD1 or TD2. Of two lines the first character
  /// says more than the length, because fillers at their ends may not have been seen.
  static func kind(of mrz: MRZReading) -> DocumentKind? {
    guard mrz.result.checkDigits?.all.contains(where: \.ok) == true else { return nil }
    return switch mrz.result.format {
    case .td2 where mrz.isCutPassport: .passport
    case .td3: .passport
    case .td1, .td2, .frenchID1988: .nationalIDBack
    default: nil
    }
  }
}

extension ImageQuality {
  /// The white label of a barcode looks like glare; that it was read shows that it is not glare.
  mutating func excuseLabel() { issues.removeAll { $0.code == .glare } }
}

extension VisualTemplate {
  static func of(_ kind: DocumentKind) -> VisualTemplate? { all.first { $0.kind == kind } }
}
