import Configuration
import Evidence
import Kit

extension EvidenceSettings {
  /// Limits of pictures of documents: below them an upload is refused before it is read, which costs less than reading.
  init(_ config: ConfigReader) throws {
    self.init()
    concurrencyMax = config.int(forKey: "evidence.concurrency", default: concurrencyMax)
    limits.shortSideMin = try config.int(forKey: "evidence.sideMin", default: limits.shortSideMin, in: 200...4000)
    var document = documentThresholds
    document.subjectWidthMin = try config.int(
      forKey: "evidence.document.widthMin", default: document.subjectWidthMin, in: 0...4000)
    document.subjectWidthWarn = max(document.subjectWidthWarn, document.subjectWidthMin)
    document.sharpnessFail = try Self.bounded("sharpnessMin", document.sharpnessFail, 0...10_000, config)
    document.sharpnessWarn = max(document.sharpnessWarn, document.sharpnessFail)
    document.contrastMin = try Self.bounded("contrastMin", document.contrastMin, 0...127, config)
    document.glareMax = try Self.bounded("glareMax", document.glareMax, 0...1, config)
    document.zoneGlareMax = try Self.bounded("zoneGlareMax", document.zoneGlareMax, 0...1, config)
    document.clippedMax = try Self.bounded("clippedMax", document.clippedMax, 0...1, config)
    document.tiltMax = try Self.bounded("tiltMax", document.tiltMax, 0...1, config)
    document.colourMin = try Self.bounded("colourMin", document.colourMin ?? 0, 0...255, config)
    document.rippleMax = try Self.bounded("rippleMax", document.rippleMax ?? 1, 0...1, config)
    document.brightness = try Self.range("brightness", document.brightness, config)
    let (fail, warn) = (document.brightnessFail, document.brightness)
    document.brightnessFail =
      min(fail.lowerBound, warn.lowerBound)...max(fail.upperBound, warn.upperBound)
    documentThresholds = document
    if let folder = config.string(forKey: "evidence.templates") {
      do { templates = try DocumentTemplates(folder: folder) } catch let fault as TemplateFault {
        throw SettingsError(fault.description)
      }
    }
  }

  /// Two settings, `…Min` and `…Max`, of luma.
  private static func range(
    _ name: String, _ usual: ClosedRange<Double>, _ config: ConfigReader
  ) throws -> ClosedRange<Double> {
    let low = try bounded(name + "Min", usual.lowerBound, 0...255, config)
    let high = try bounded(name + "Max", usual.upperBound, 0...255, config)
    guard low <= high else {
      throw SettingsError("evidence.document.\(name)Min is not above evidence.document.\(name)Max")
    }
    return low...high
  }

  private static func bounded(
    _ name: String, _ usual: Double, _ range: ClosedRange<Double>, _ config: ConfigReader
  ) throws -> Double {
    try config.double(forKey: "evidence.document.\(name)", default: usual, in: range)
  }
}

extension FaceThresholds {
  /// Where scores of an operator's models become decisions; `gatehouse faces calibrate` says where.
  init(_ config: ConfigReader) throws {
    self.init()
    matchFrom = try config.double(forKey: "faces.matchFrom", default: matchFrom, in: 0...1)
    noMatchBelow = try config.double(forKey: "faces.noMatchBelow", default: min(noMatchBelow, matchFrom), in: 0...1)
    liveFrom = try config.double(forKey: "faces.liveFrom", default: liveFrom, in: 0...1)
    spoofBelow = try config.double(forKey: "faces.spoofBelow", default: min(spoofBelow, liveFrom), in: 0...1)
    guard noMatchBelow <= matchFrom else { throw SettingsError("faces.noMatchBelow is not above faces.matchFrom") }
    guard spoofBelow <= liveFrom else { throw SettingsError("faces.spoofBelow is not above faces.liveFrom") }
  }
}

extension ConfigReader {
  fileprivate func double(forKey key: String, default usual: Double, in range: ClosedRange<Double>) throws -> Double {
    let value = double(forKey: ConfigKey(key), default: usual)
    guard range.contains(value) else {
      throw SettingsError("\(key) is between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }
}
