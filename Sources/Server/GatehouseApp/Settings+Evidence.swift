import Configuration
import Evidence
import Kit

extension EvidenceSettings {
  /// Limits of pictures of documents: below them an upload is refused before it is read, which costs less than reading.
  init(_ config: ConfigReader) throws {
    self.init()
    concurrencyMax = config.int(forKey: "evidence.concurrency", default: concurrencyMax)
    limits.shortSideMin = try config.int(forKey: "evidence.sideMin", default: limits.shortSideMin, in: 200...4000)
    documentThresholds = try Self.thresholds("document", documentThresholds, config)
    documentThresholds.subjectWidthMin = try config.int(
      forKey: "evidence.document.widthMin", default: documentThresholds.subjectWidthMin, in: 0...4000)
    documentThresholds.subjectWidthWarn = max(
      documentThresholds.subjectWidthWarn, documentThresholds.subjectWidthMin)
    func bounded(_ name: String, _ usual: Double, _ range: ClosedRange<Double>) throws -> Double {
      try Self.bounded("document.\(name)", usual, range, config)
    }
    documentThresholds.zoneGlareMax = try bounded("zoneGlareMax", documentThresholds.zoneGlareMax, 0...1)
    documentThresholds.tiltMax = try bounded("tiltMax", documentThresholds.tiltMax, 0...1)
    documentThresholds.colourMin = try bounded("colourMin", documentThresholds.colourMin ?? 0, 0...255)
    documentThresholds.rippleMax = try bounded("rippleMax", documentThresholds.rippleMax ?? 1, 0...1)
    faceThresholds = try Self.thresholds("face", faceThresholds, config)
    selfieEyesMin = try config.selfieEyesMin(default: selfieEyesMin)
    if let folder = config.string(forKey: "evidence.templates") {
      do { templates = try DocumentTemplates(folder: folder) } catch let fault as TemplateFault {
        throw SettingsError(fault.description)
      }
    }
  }

  /// Those that documents and selfies have, each by its own group of settings.
  private static func thresholds(
    _ group: String, _ usual: QualityThresholds, _ config: ConfigReader
  ) throws -> QualityThresholds {
    func bounded(_ name: String, _ usual: Double, _ range: ClosedRange<Double>) throws -> Double {
      try Self.bounded("\(group).\(name)", usual, range, config)
    }
    var chosen = usual
    chosen.sharpnessFail = try bounded("sharpnessMin", usual.sharpnessFail, 0...10_000)
    chosen.sharpnessWarn = max(usual.sharpnessWarn, chosen.sharpnessFail)
    chosen.contrastMin = try bounded("contrastMin", usual.contrastMin, 0...127)
    chosen.glareMax = try bounded("glareMax", usual.glareMax, 0...1)
    chosen.clippedMax = try bounded("clippedMax", usual.clippedMax, 0...1)
    let low = try bounded("brightnessMin", usual.brightness.lowerBound, 0...255)
    let high = try bounded("brightnessMax", usual.brightness.upperBound, 0...255)
    guard low <= high else {
      throw SettingsError("evidence.\(group).brightnessMin is not above evidence.\(group).brightnessMax")
    }
    chosen.brightness = low...high
    chosen.brightnessFail = min(usual.brightnessFail.lowerBound, low)...max(usual.brightnessFail.upperBound, high)
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
