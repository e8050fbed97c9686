// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import UIKit

/// Whether a camera can be shown.
enum CameraAccess {
  case asking, given, refused
  /// As on a simulator.
  case missing

  /// Asks the user, when that was never done.
  static func of(_ position: AVCaptureDevice.Position) async -> CameraAccess {
    guard CaptureCamera.device(position) != nil else { return .missing }
    switch AVCaptureDevice.authorizationStatus(for: .video) {
    case .authorized: return .given
    case .notDetermined: return await AVCaptureDevice.requestAccess(for: .video) ? .given : .refused
    default: return .refused
    }
  }
}

/// One of the device's cameras with what it feeds, shown in a view.
@MainActor
final class CaptureCamera {
  private let session = AVCaptureSession()
  /// Starting and stopping wait for the camera.
  private let queue = DispatchQueue(label: "camera")

  nonisolated static func device(_ position: AVCaptureDevice.Position) -> AVCaptureDevice? {
    AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)
  }

  /// - Parameter outputs: those that the camera cannot feed are left out.
  func begin(
    _ position: AVCaptureDevice.Position, preset: AVCaptureSession.Preset, outputs: [AVCaptureOutput],
    in view: PreviewView
  ) {
    guard let device = Self.device(position), let input = try? AVCaptureDeviceInput(device: device),
      session.canAddInput(input)
    else { return }
    session.beginConfiguration()
    if session.canSetSessionPreset(preset) { session.sessionPreset = preset }
    session.addInput(input)
    for output in outputs where session.canAddOutput(output) { session.addOutput(output) }
    session.commitConfiguration()
    view.previewLayer?.session = session
    view.previewLayer?.videoGravity = .resizeAspectFill
    // The session is documented to be started and stopped on a queue of its own, while the layer shows it on the main
    // one.
    nonisolated(unsafe) let session = session
    queue.async { session.startRunning() }
  }

  func end() {
    nonisolated(unsafe) let session = session
    queue.async { session.stopRunning() }
  }
}

/// Shows what a camera sees.
final class PreviewView: UIView {
  override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }

  var previewLayer: AVCaptureVideoPreviewLayer? { layer as? AVCaptureVideoPreviewLayer }
}
