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
    documentThresholds = document
  }

  private static func bounded(
    _ name: String, _ usual: Double, _ range: ClosedRange<Double>, _ config: ConfigReader
  ) throws -> Double {
    let key = "evidence.document.\(name)"
    let value = config.double(forKey: ConfigKey(key), default: usual)
    guard range.contains(value) else {
      throw SettingsError("\(key) is between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }
}
