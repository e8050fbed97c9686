// SPDX-License-Identifier: Apache-2.0

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

  /// - Parameters:
  ///   - edited: as the file that was sent shows it.
  ///   - clock: started before the picture was decoded, which it has marked.
  ///   - effort: what its print may take.
  func read(
    _ frame: Frame, image: EvidenceImage, edited: EditedRegion? = nil, as expected: DocumentKind?,
    on today: CalendarDate, clock: StageClock, effort print: PrintEffort = PrintEffort()
  ) throws -> ReadDocument {
    var clock = clock
    let outline = try Page.outline(in: frame)
    clock.mark("page")
    var (page, zone) = try ZoneSearch(frame: frame, outline: outline, today: today)
      .run(wanted: expected?.carriesMRZ, clock: &clock)
    if let found = zone, !found.reading.isWhole {
      zone = try SecondReader(text: text, today: today, effort: print).improved(found, in: page.frame) ?? found
      clock.mark("mrz-text")
    }
    // A front carries no zone: what hardly looks like one is a pattern of the page, and shows neither its place nor
    // which way up it is.
    if expected?.carriesMRZ == false, let found = zone, !found.reading.isShownByDigits {
      zone = nil
      page = try outline.map { try Page.cut($0, from: frame) } ?? Page.whole(frame)
    }
    let kindByZone = zone.flatMap { Self.kind(of: $0.reading) }

    let mayCarryBarcode = zone == nil && (expected == nil || expected == .drivingLicence)
    let effort = BarcodeEffort()
    var barcode: BarcodeSearch.Found?
    if mayCarryBarcode {
      barcode = try BarcodeSearch(frame: frame, page: page, effort: effort).first()
      clock.mark("barcode")
    }
    // The back of a card has no portrait that is used.
    var report = FaceReport(faces: [], detector: "none")
    if kindByZone != .nationalIDBack {
      let straight = page
      let quarters: Int
      (quarters, page, report) = try portraits(on: straight, isUpright: zone != nil, hasBarcode: barcode != nil)
      barcode = barcode.map { ($0.reading, $0.label.turned(quarters, in: straight.frame)) }
    }
    clock.mark("faces")
    var visual: VisualZone?
    var qr: QRReading?
    var kindByText: DocumentKind?
    if kindByZone != .nationalIDBack {
      let face = PortraitPlace.find(report, kind: nil, page: page.frame)
      // A side with a barcode and no portrait is the back of a licence.
      let isBack = barcode != nil && !report.showsFace
      var text = try PageText(
        page, zone: zone?.reading, portrait: face?.region, kindIsKnown: kindByZone != nil || isBack,
        expected: expected, lines: lines, templates: settings.templates.of(state: zone?.reading.fields?.issuingState),
        effort: print)
      var printed: VisualZone?
      if zone == nil, barcode == nil { printed = try Self.printed(text) }
      // A face tells which way up a page is, and a pattern or a column of print is taken for one now and then.
      if let first = printed, first.values.count < Self.valuesMin {
        // The back of a licence prints little, and its symbol is straightened in less time than lines are read anew.
        if mayCarryBarcode {
          barcode = try BarcodeSearch(frame: frame, page: page, effort: effort).straightened()
        }
        if barcode == nil, let turned = try upright(page, as: expected, print) {
          (page, text) = (turned.page, turned.text)
          printed = turned.printed
          // What was found on the page as it lay was no face; without one, the other directions were searched too.
          if !report.faces.isEmpty { report = try faces.faces(in: page.frame, [.usual]) }
        }
      }
      kindByText = text.kind
      if let template = (kindByZone ?? text.kind).flatMap(text.template) {
        visual = try (printed ?? text.fields(template)).withoutFutureDates(after: today)
        clock.mark("text")
        qr = try QRReading.read(template, page: page, frame: frame)
        if template.qr != nil { clock.mark("qr") }
      }
      clock.mark("text")
    }
    // What a front prints beside its portrait stands in no barcode that would be hard to read.
    let isFront = !report.faces.isEmpty && visual?.namesHolder == true
    if mayCarryBarcode, barcode == nil, !isFront, kindByText != .nationalIDFront {
      barcode = try BarcodeSearch(frame: frame, page: page, effort: effort).others()
      clock.mark("barcode")
    }
    if kindByText == .nationalIDFront { barcode = nil }
    let detected = kindByZone ?? kindByText ?? (barcode == nil ? nil : .drivingLicence)
    let portrait = PortraitPlace.find(report, kind: barcode == nil ? detected : nil, page: page.frame)
    var quality = try quality(
      of: frame, outline: page.outline, page: page,
      zones: [zone?.reading.region, portrait?.region].compactMap(\.self),
      labels: [barcode?.label].compactMap(\.self))
    if barcode != nil, !report.showsFace, visual?.values.isEmpty ?? true { quality.excuseGlare() }
    quality.note(edited, evidenceMax: settings.documentThresholds.editedMax)
    clock.mark("quality")

    var reading = DocumentReading(
      expected: expected, detected: detected,
      page: .init(
        width: page.frame.width, height: page.frame.height, outlined: page.outline != nil,
        corners: page.outline?.corners.flatMap { [$0.x.rounded(), $0.y.rounded()] } ?? [], imageWidth: image.width,
        imageHeight: image.height),
      mrz: zone?.reading, visualZone: visual, barcode: barcode?.reading, qr: qr, portrait: portrait, faces: report,
      quality: quality, isPrintCut: kindByZone != .nationalIDBack && print.isCut ? true : nil, checks: [], failure: nil)
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

  /// The faces of a page that are as wide as a portrait may be. They show which way up a page without a zone is.
  /// - Parameter hasBarcode: then a page inside its outline is not searched for small ones: it shows none as a rule.
  private func portraits(
    on page: Page, isUpright: Bool, hasBarcode: Bool
  ) throws -> (quarters: Int, page: Page, report: FaceReport) {
    let report = try faces.faces(in: page.frame, [.usual])
    guard report.faces.isEmpty, report.detector != "none" else { return (0, page, report) }
    let others: [(quarters: Int, searches: [FaceFinder.Search])] =
      if isUpright {
        [(0, [.small])]
      } else if page.outline != nil {
        // A page whose outline was found lies on its long edge, and its portrait is hardly ever small.
        [(2, [.usual])] + (hasBarcode ? [] : [(0, [.small])])
      } else {
        // A whole frame may lie any way.
        [(0, [.small])] + [2, 1, 3].map { ($0, [.usual, .small]) }
      }
    for (quarters, searches) in others {
      let turned = try page.turned(quarters)
      let seen = try faces.faces(in: turned.frame, searches)
      if !seen.faces.isEmpty { return (quarters, turned, seen) }
    }
    return (0, page, report)
  }

  /// A page whose direction neither a zone nor a barcode has told, and whose print cannot be read as it lies, turned so
  /// that it can be.
  /// - Returns: nil when its print gives no fields either way.
  private func upright(
    _ page: Page, as expected: DocumentKind?, _ effort: PrintEffort
  ) throws -> (page: Page, text: PageText, printed: VisualZone)? {
    // A page whose outline was found lies on its long edge.
    for quarters in page.outline == nil ? [2, 1, 3] : [2] {
      let turned = try page.turned(quarters)
      let text = try PageText(
        turned, zone: nil, portrait: nil, kindIsKnown: false, expected: expected, lines: lines,
        templates: settings.templates.of(state: nil), effort: effort)
      let printed = try Self.printed(text)
      if printed.values.count >= Self.valuesMin { return (turned, text, printed) }
    }
    return nil
  }

  /// Print that lies on its side may look like a column of fields, and gives one or two values.
  private static let valuesMin = 3

  /// What the template of a page gives; nothing when no template fits it.
  private static func printed(_ text: PageText) throws -> VisualZone {
    guard let template = text.kind.flatMap(text.template) else { return VisualZone() }
    return try text.fields(template)
  }

  /// Measures a picture that is not read. Where light covers a part of it, a barcode is looked for, as reading does:
  /// the white label of one that can be read is no glare, and a side that carries nothing else needs nothing else.
  func inspect(_ frame: Frame) throws -> ImageQuality {
    let outline = try Page.outline(in: frame)
    let quality = try quality(of: frame, outline: outline, zones: [])
    guard quality.issues.contains(where: { $0.code == .glare }) else { return quality }
    let page = try outline.map { try Page.cut($0, from: frame) } ?? Page.whole(frame)
    let search = BarcodeSearch(frame: frame, page: page)
    guard let barcode = try search.first() ?? search.others() else { return quality }
    var excused = try self.quality(of: frame, outline: outline, page: page, zones: [], labels: [barcode.label])
    if try !faces.faces(in: page.frame, [.usual, .small]).showsFace { excused.excuseGlare() }
    return excused
  }

  /// Measures the document region, scaled to 1000 px (identity-documents §7).
  func quality(
    of frame: Frame, outline: Quad?, page: Page? = nil, zones: [Region], labels: [Region] = []
  ) throws -> ImageQuality {
    let (crop, tilt) = Page.crop(outline, in: frame)
    let width = outline.map { max(Int($0.edge(0)), Int($0.edge(2))) } ?? frame.width
    let source = try page?.frame ?? outline.map { try Page.cut($0, from: frame).frame } ?? frame
    let measured = source.width(1000, most: Page.pixelsMax)
    let scale = Double(measured) / Double(source.width)
    let plane = try LumaPlane(source.scaled(toWidth: measured))
    return try QualityInspector(settings.documentThresholds).inspect(
      plane, subjectWidth: width, crop: crop, tilt: tilt, zones: zones.map { $0.scaled(by: scale) },
      labels: labels.map { $0.scaled(by: scale) }, ripple: source.ripple())
  }

  /// The kind that a zone makes sure: passports carry TD3, backs of cards TD1 or TD2. Of two lines the first character
  /// says more than the length, because fillers at their ends may not have been seen.
  static func kind(of mrz: MRZReading) -> DocumentKind? {
    guard mrz.isShownByDigits else { return nil }
    return switch mrz.result.format {
    case .td2 where mrz.isCutPassport: .passport
    case .td3: .passport
    case .td1, .td2, .frenchID1988: .nationalIDBack
    default: nil
    }
  }
}

extension ImageQuality {
  /// Nothing that must be read is hidden.
  mutating func excuseGlare() { issues.removeAll { $0.code == .glare } }
}
