// SPDX-License-Identifier: Apache-2.0

import Configuration
import Evidence
import Kit

extension EvidenceSettings {
  // What docs/reference/settings.md tells of them.
  // evidence.concurrency (default: 2): pictures in work at once, 1 or more
  // evidence.sideMin: shorter side of a picture of a document or a face, in pixels
  // evidence.document.widthMin (default: 600): width of the document in the picture, in pixels, below which an upload
  //   is refused as too-small
  // evidence.templates: folder of document templates beside the program's
  // faces.matchFrom (default: 0.45): score, 0 to 1, from which two faces are one person's
  // faces.noMatchBelow: score, 0 to 1, below which two faces are two people's; at most faces.matchFrom
  // faces.liveFrom: score, 0 to 1, from which a picture is live
  // faces.spoofBelow: score, 0 to 1, below which a picture is a spoof; at most faces.liveFrom
  // evidence.face.eyesMin (default: 60): pixels between the pupils, 20 to 1000; less is refused as face-too-small
  // evidence.document.sharpnessMin (default: 5): variance of the Laplacian at 1000 px width, in the least sharp
  //   quarter that shows anything; less is refused as blurred
  // evidence.document.contrastMin (default: 25): standard deviation of luma; less is refused as low-contrast
  // evidence.document.glareMax (default: 0.015): share of the document, 0 to 1, that one blown-out spot may cover;
  //   more is refused as glare
  // evidence.document.zoneGlareMax (default: 0.003): the same of portrait and machine-readable zone, when the picture
  //   is read; at most glareMax
  // evidence.document.brightnessMin (default: 60): mean luma, 0 to 255, below which a picture is told to be too-dark
  // evidence.document.brightnessMax (default: 200): mean luma, 0 to 255, above which a picture is told to be
  //   too-bright
  // evidence.document.brightnessFailMin (default: 35): mean luma, 0 to 255, below which a picture is refused as
  //   too-dark; at most brightnessMin
  // evidence.document.brightnessFailMax (default: 235): mean luma, 0 to 255, above which a picture is refused as
  //   too-bright; at least brightnessMax
  // evidence.document.sharpnessWarn (default: 60): as sharpnessMin, and at least that; less is told as blurred and not
  //   refused
  // evidence.document.widthWarn (default: 1000): as widthMin, and at least that; less is told as too-small and not
  //   refused
  // evidence.document.clippedMax (default: 0.05): share of pixels, 0 to 1, that may be black, and that may be white
  // evidence.document.tiltMax (default: 0.15): by how much opposite edges may differ, 0 to 1, before tilted is told
  // evidence.document.colourMin (default: 4): mean difference of a pixel's channels, 0 to 255; less is flagged as
  //   grayscale-copy
  // evidence.document.rippleMax (default: 0.06): colour ripples of one frequency, 0 to 1; more is flagged as
  //   screen-recapture
  // evidence.document.editedMax (default: 40): how much likelier, as a natural logarithm, a part of a picture is to
  //   have come into it after its first compression; more is flagged as edited-region
  // evidence.face.sharpnessMin (default: 8): as of documents, of the face at up to 600 px width
  // evidence.face.contrastMin (default: 18): standard deviation of luma of the face; less is refused as low-contrast
  // evidence.face.glareMax (default: 0.25): share of the face, 0 to 1, that one blown-out spot may cover; more is
  //   refused as glare
  // evidence.face.brightnessMin (default: 50): mean luma, 0 to 255, below which a selfie is told to be too-dark
  // evidence.face.brightnessMax (default: 215): mean luma, 0 to 255, above which a selfie is told to be too-bright
  // evidence.face.brightnessFailMin (default: 30): mean luma, 0 to 255, below which a selfie is refused as too-dark; at
  //   most brightnessMin
  // evidence.face.brightnessFailMax (default: 240): mean luma, 0 to 255, above which a selfie is refused as too-bright;
  //   at least brightnessMax
  // evidence.face.sharpnessWarn (default: 20): as sharpnessMin, and at least that; less is told as blurred and not
  //   refused
  // evidence.face.clippedMax (default: 0.3): share of pixels, 0 to 1, that may be black, and that may be white

  /// Limits of pictures of documents: below them an upload is refused before it is read, which costs less than reading.
  init(_ config: ConfigReader) throws {
    self.init()
    concurrencyMax = try config.int(forKey: "evidence.concurrency", default: concurrencyMax, in: 1 ... .max)
    limits.shortSideMin = try config.int(forKey: "evidence.sideMin", default: limits.shortSideMin, in: 200...4000)
    documentThresholds = try Self.thresholds("document", documentThresholds, config)
    documentThresholds.subjectWidthMin = try config.int(
      forKey: "evidence.document.widthMin", default: documentThresholds.subjectWidthMin, in: 0...4000)
    documentThresholds.subjectWidthWarn = try config.int(
      forKey: "evidence.document.widthWarn",
      default: max(documentThresholds.subjectWidthWarn, documentThresholds.subjectWidthMin), in: 0...4000)
    guard documentThresholds.subjectWidthMin <= documentThresholds.subjectWidthWarn else {
      throw SettingsError("evidence.document.widthMin is not above evidence.document.widthWarn")
    }
    func bounded(_ name: String, _ usual: Double, _ range: ClosedRange<Double>) throws -> Double {
      try Self.bounded("document.\(name)", usual, range, config)
    }
    let glareMax = documentThresholds.glareMax
    documentThresholds.zoneGlareMax = try bounded(
      "zoneGlareMax", min(documentThresholds.zoneGlareMax, glareMax), 0...1)
    guard documentThresholds.zoneGlareMax <= glareMax else {
      throw SettingsError("evidence.document.zoneGlareMax is not above evidence.document.glareMax")
    }
    documentThresholds.tiltMax = try bounded("tiltMax", documentThresholds.tiltMax, 0...1)
    documentThresholds.colourMin = try bounded("colourMin", documentThresholds.colourMin ?? 0, 0...255)
    documentThresholds.rippleMax = try bounded("rippleMax", documentThresholds.rippleMax ?? 1, 0...1)
    documentThresholds.editedMax = try bounded("editedMax", documentThresholds.editedMax ?? 10_000, 0...10_000)
    faceThresholds = try Self.thresholds("face", faceThresholds, config)
    selfieEyesMin = try config.selfieEyesMin(default: selfieEyesMin)
    if let folder = config.string(forKey: "evidence.templates") {
      do { templates = try DocumentTemplates(folder: folder) } catch let fault as TemplateFault {
        throw SettingsError(fault.description)
      }
    }
  }

  /// The thresholds of documents or selfies, by a group of settings of their own.
  private static func thresholds(
    _ group: String, _ usual: QualityThresholds, _ config: ConfigReader
  ) throws -> QualityThresholds {
    func bounded(_ name: String, _ usual: Double, _ range: ClosedRange<Double>) throws -> Double {
      try Self.bounded("\(group).\(name)", usual, range, config)
    }
    var chosen = usual
    chosen.sharpnessFail = try bounded("sharpnessMin", usual.sharpnessFail, 0...10_000)
    chosen.sharpnessWarn = try bounded(
      "sharpnessWarn", max(usual.sharpnessWarn, chosen.sharpnessFail), 0...10_000)
    guard chosen.sharpnessFail <= chosen.sharpnessWarn else {
      throw SettingsError("evidence.\(group).sharpnessMin is not above evidence.\(group).sharpnessWarn")
    }
    chosen.contrastMin = try bounded("contrastMin", usual.contrastMin, 0...127)
    chosen.glareMax = try bounded("glareMax", usual.glareMax, 0...1)
    chosen.clippedMax = try bounded("clippedMax", usual.clippedMax, 0...1)
    let low = try bounded("brightnessMin", usual.brightness.lowerBound, 0...255)
    let high = try bounded("brightnessMax", usual.brightness.upperBound, 0...255)
    guard low <= high else {
      throw SettingsError("evidence.\(group).brightnessMin is not above evidence.\(group).brightnessMax")
    }
    chosen.brightness = low...high
    let failLow = try bounded("brightnessFailMin", min(usual.brightnessFail.lowerBound, low), 0...255)
    let failHigh = try bounded("brightnessFailMax", max(usual.brightnessFail.upperBound, high), 0...255)
    guard failLow <= low, high <= failHigh else {
      throw SettingsError(
        "evidence.\(group).brightnessFailMin and brightnessFailMax enclose brightnessMin and brightnessMax")
    }
    chosen.brightnessFail = failLow...failHigh
    return chosen
  }

  private static func bounded(
    _ name: String, _ usual: Double, _ range: ClosedRange<Double>, _ config: ConfigReader
  ) throws -> Double {
    try config.double(forKey: "evidence.\(name)", default: usual, in: range)
  }
}

extension FaceThresholds {
  /// Where scores of an operator's models become decisions; `gatehouse faces calibrate` says where.
  init(_ config: ConfigReader) throws {
    self.init()
    matchFrom = try config.double(forKey: "faces.matchFrom", default: matchFrom, in: 0...1)
    noMatchBelow = try config.double(forKey: "faces.noMatchBelow", default: min(noMatchBelow, matchFrom), in: 0...1)
    // A selfie that was taken can be compared.
    selfieEyesMin = try config.selfieEyesMin(default: selfieEyesMin)
    liveFrom = try config.double(forKey: "faces.liveFrom", default: liveFrom, in: 0...1)
    spoofBelow = try config.double(forKey: "faces.spoofBelow", default: min(spoofBelow, liveFrom), in: 0...1)
    guard noMatchBelow <= matchFrom else { throw SettingsError("faces.noMatchBelow is not above faces.matchFrom") }
    guard spoofBelow <= liveFrom else { throw SettingsError("faces.spoofBelow is not above faces.liveFrom") }
  }
}

extension ConfigReader {
  fileprivate func selfieEyesMin(default usual: Double) throws -> Double {
    try double(forKey: "evidence.face.eyesMin", default: usual, in: 20...1000)
  }

  fileprivate func double(forKey key: String, default usual: Double, in range: ClosedRange<Double>) throws -> Double {
    let value = double(forKey: ConfigKey(key), default: usual)
    guard range.contains(value) else {
      throw SettingsError("\(key) is between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }
}
