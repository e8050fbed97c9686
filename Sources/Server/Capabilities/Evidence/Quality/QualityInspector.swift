// SPDX-License-Identifier: Apache-2.0

/// Measures a picture and names what is wrong with it.
package struct QualityInspector: Sendable {
  package let thresholds: QualityThresholds

  package init(_ thresholds: QualityThresholds) { self.thresholds = thresholds }

  /// - Parameters:
  ///   - plane: the subject, scaled to at most 1000 px width.
  ///   - subjectWidth: its width before scaling.
  ///   - zones: parts of `plane` where glare weighs more.
  ///   - ripple: as `Frame.ripple` measures it; nil when it was not measured.
  ///   - labels: parts of `plane` that are white by themselves, and were read: they do not count as glare.
  package func inspect(
    _ plane: LumaPlane, subjectWidth: Int, crop: ImageQuality.Crop = .unknown, tilt: Double? = nil,
    zones: [Region] = [], labels: [Region] = [], ripple: Double? = nil
  ) -> ImageQuality {
    let histogram = plane.histogram, count = Double(max(1, plane.luma.count))
    var sum = 0, squares = 0
    for (luma, pixels) in histogram.enumerated() {
      sum += luma * pixels
      squares += luma * luma * pixels
    }
    let mean = Double(sum) / count
    var quality = ImageQuality(
      sharpness: plane.quarterSharpness(contentMin: thresholds.contentMin),
      // Of a page whose outline is not known, light that reaches the frame's border may lie around the page.
      glare: plane.glare(withinBorder: crop == .unknown, labels: labels), brightness: mean,
      blackShare: Double(histogram[0]) / count, whiteShare: Double(histogram[255]) / count,
      contrast: max(0, Double(squares) / count - mean * mean).squareRoot(), colour: plane.meanChroma,
      subjectWidth: subjectWidth, crop: crop, tilt: tilt, ripple: ripple, issues: [])
    let zoneGlare =
      zones.map { zone in
        plane.glare(
          columns: zone.x..<max(zone.x, zone.x + zone.width), rows: zone.y..<max(zone.y, zone.y + zone.height),
          labels: labels)
      }.max() ?? 0
    quality.issues = issues(of: quality, zoneGlare: zoneGlare).sorted { $0.severity > $1.severity }
    return quality
  }

  private func issues(of quality: ImageQuality, zoneGlare: Double) -> [QualityIssue] {
    var found: [QualityIssue] = []
    func below(_ code: QualityIssue.Code, _ measured: Double, fail: Double, warn: Double? = nil) {
      if measured < fail {
        found.append(.init(code, .fail, measured: measured, limit: fail))
      } else if let warn, measured < warn {
        found.append(.init(code, .warn, measured: measured, limit: warn))
      }
    }
    below(
      .tooSmall, Double(quality.subjectWidth), fail: Double(thresholds.subjectWidthMin),
      warn: Double(thresholds.subjectWidthWarn))
    if quality.crop == .cropped { found.append(.init(.cropped, .fail)) }
    below(.blurred, quality.sharpness, fail: thresholds.sharpnessFail, warn: thresholds.sharpnessWarn)
    if quality.glare > thresholds.glareMax {
      found.append(.init(.glare, .fail, measured: quality.glare, limit: thresholds.glareMax))
    } else if zoneGlare > thresholds.zoneGlareMax {
      found.append(.init(.glare, .fail, measured: zoneGlare, limit: thresholds.zoneGlareMax))
    }
    below(.lowContrast, quality.contrast, fail: thresholds.contrastMin)
    if let issue = exposure(of: quality) { found.append(issue) }
    if let tilt = quality.tilt, tilt > thresholds.tiltMax {
      found.append(.init(.tilted, .warn, measured: tilt, limit: thresholds.tiltMax))
    }
    if let colourMin = thresholds.colourMin, quality.colour <= colourMin {
      found.append(.init(.grayscaleCopy, .flag, measured: quality.colour, limit: colourMin))
    }
    if let rippleMax = thresholds.rippleMax, let ripple = quality.ripple, ripple > rippleMax {
      found.append(.init(.screenRecapture, .flag, measured: ripple, limit: rippleMax))
    }
    return found
  }

  /// Of the mean, or, where that is within its limits, of pixels that are black or white and show nothing.
  private func exposure(of quality: ImageQuality) -> QualityIssue? {
    guard thresholds.brightness.contains(quality.brightness) else {
      let isDark = quality.brightness < thresholds.brightness.lowerBound
      let isSevere = !thresholds.brightnessFail.contains(quality.brightness)
      let bounds = isSevere ? thresholds.brightnessFail : thresholds.brightness
      return .init(
        isDark ? .tooDark : .tooBright, isSevere ? .fail : .warn, measured: quality.brightness,
        limit: isDark ? bounds.lowerBound : bounds.upperBound)
    }
    let share = max(quality.blackShare, quality.whiteShare)
    guard share > thresholds.clippedMax else { return nil }
    return .init(
      share == quality.blackShare ? .tooDark : .tooBright, .warn, measured: share, limit: thresholds.clippedMax)
  }
}
