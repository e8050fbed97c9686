// SPDX-License-Identifier: Apache-2.0

/// Measures a selfie: the face if there is one, else the whole picture.
struct FaceQuality {
  let thresholds: QualityThresholds
  /// In pixels.
  let eyesMin: Double

  func quality(of frame: Frame, faces: FaceReport) throws -> ImageQuality {
    let subject = try faces.faces.first.map { try frame.cropped(to: $0.region) } ?? frame
    let width = subject.width(600, most: Page.pixelsMax)
    let plane = try LumaPlane(subject.width > width ? subject.scaled(toWidth: width) : subject)
    var quality = QualityInspector(thresholds).inspect(
      plane, subjectWidth: min(frame.width, frame.height), crop: .unknown)
    if faces.detector != "none" { quality.issues += issues(of: faces) }
    quality.issues.sort { $0.severity > $1.severity }
    return quality
  }

  private func issues(of report: FaceReport) -> [QualityIssue] {
    guard let first = report.faces.first else { return [QualityIssue(.noFace, .fail)] }
    var found: [QualityIssue] = []
    // A second detection much smaller than the first is a picture on the wall, or nothing.
    let others = report.faces.dropFirst().filter { $0.region.width * 2 > first.region.width }
    if !others.isEmpty { found.append(QualityIssue(.severalFaces, .fail)) }
    if first.eyeDistance < eyesMin {
      found.append(QualityIssue(.faceTooSmall, .fail, measured: first.eyeDistance, limit: eyesMin))
    }
    return found
  }
}
