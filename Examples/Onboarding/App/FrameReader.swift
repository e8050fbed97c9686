// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import GatehouseUI
import Vision

/// Measures a frame of the camera four times a second: where the subject is by the system's detectors, and how sharp
/// and how blown out it is by `CameraMeter`. Everything of it happens on the queue of its output.
final class FrameReader: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate {
  /// Brightness lies in the first plane, a byte a pixel.
  static var settings: [String: Any] {
    [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
  }
  /// In seconds.
  private static let pause = 0.25

  private let frame: CameraFrame
  private let tell: @MainActor @Sendable (CameraReading) -> Void
  private var measuredAt = -FrameReader.pause

  init(_ frame: CameraFrame, _ tell: @escaping @MainActor @Sendable (CameraReading) -> Void) {
    (self.frame, self.tell) = (frame, tell)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
    guard time - measuredAt >= Self.pause, let picture = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    measuredAt = time
    let (tell, reading) = (tell, reading(of: picture))
    Task { @MainActor in tell(reading) }
  }

  private func reading(of picture: CVPixelBuffer) -> CameraReading {
    let subject = subject(in: picture)
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { return CameraReading(subject: .missing) }
    let (width, height) = (CVPixelBufferGetWidthOfPlane(picture, 0), CVPixelBufferGetHeightOfPlane(picture, 0))
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
    return CameraMeter.reading(
      luma: UnsafeRawBufferPointer(start: base, count: bytesPerRow * height), width: width, height: height,
      bytesPerRow: bytesPerRow, subject: subject)
  }

  /// - Returns: nil when nothing is found. Vision counts from the bottom left.
  private func subject(in picture: CVPixelBuffer) -> CameraBox? {
    let handler = VNImageRequestHandler(cvPixelBuffer: picture, orientation: .up, options: [:])
    let box: CGRect?
    if frame == .face {
      let request = VNDetectFaceRectanglesRequest()
      do { try handler.perform([request]) } catch { return nil }
      box = request.results?.first?.boundingBox
    } else {
      let request = VNDetectRectanglesRequest()
      // The shorter side by the longer one is 0.63 of a card and 0.70 of a passport's page; held askew they seem
      // narrower.
      (request.minimumAspectRatio, request.maximumAspectRatio, request.minimumSize) = (0.5, 0.85, 0.2)
      do { try handler.perform([request]) } catch { return nil }
      box = request.results?.first?.boundingBox
    }
    return box.map {
      CameraBox(
        x: Double($0.origin.x), y: 1 - Double($0.origin.y + $0.size.height), width: Double($0.size.width),
        height: Double($0.size.height))
    }
  }
}
