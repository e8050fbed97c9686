// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import GatehouseUI
import SwiftUI
import UIKit

/// The camera of a document or a face, with its frame; on a device without a camera the user chooses a picture.
struct PictureCamera: View {
  let frame: CameraFrame
  let seen: (CameraReading) -> Void
  let taken: (Data) -> Void
  @Environment(\.locale) private var locale
  @State private var access = CameraAccess.asking
  @StateObject private var taker = PictureTaker()

  var body: some View {
    VStack(alignment: .center, spacing: 8) {
      switch access {
      case .asking: EmptyView()
      case .given:
        PictureCameraView(taker: taker, frame: frame, seen: seen, taken: taken)
          .overlay(alignment: .center) { outline }
        Button(PartText.takePicture.text(locale), role: nil) { taker.take() }
          .buttonStyle(.borderedProminent)
          .accessibilityIdentifier("take")
      case .refused: Text(PartText.cameraRefused.text(locale))
      case .missing: Text(PartText.cameraMissing.text(locale))
      }
      PicturePicker { taken($0) }
    }
    .task { access = await CameraAccess.of(frame == .face ? .front : .back) }
  }

  /// Sides by ISO/IEC 7810, ID-1 and ID-3.
  @ViewBuilder private var outline: some View {
    switch frame {
    case .card: card(85.6 / 53.98)
    case .passport: card(125.0 / 88)
    case .face:
      Ellipse().stroke(Color.white, lineWidth: 3).aspectRatio(0.75, contentMode: .fit).padding()
        .accessibilityHidden(true)
    }
  }

  private func card(_ ratio: CGFloat) -> some View {
    RoundedRectangle(cornerRadius: 12).stroke(Color.white, lineWidth: 3).aspectRatio(ratio, contentMode: .fit).padding()
      .accessibilityHidden(true)
  }
}

/// What the camera of `PictureCamera` sees.
private struct PictureCameraView: UIViewRepresentable {
  let taker: PictureTaker
  let frame: CameraFrame
  let seen: (CameraReading) -> Void
  let taken: (Data) -> Void

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView(frame: .zero)
    taker.begin(frame, in: view)
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) { (taker.seen, taker.taken) = (seen, taken) }

  func makeCoordinator() -> PictureTaker { taker }

  static func dismantleUIView(_ view: PreviewView, coordinator: PictureTaker) { coordinator.end() }
}

/// Takes pictures, and has the frames in between measured.
@MainActor
final class PictureTaker: NSObject, ObservableObject, AVCapturePhotoCaptureDelegate {
  var seen: (CameraReading) -> Void = { _ in }
  var taken: (Data) -> Void = { _ in }
  private let camera = CaptureCamera()
  private let photos = AVCapturePhotoOutput()
  private let frames = AVCaptureVideoDataOutput()
  private var reader: FrameReader?

  func begin(_ frame: CameraFrame, in view: PreviewView) {
    let reader = FrameReader(frame) { [weak self] reading in self?.seen(reading) }
    self.reader = reader
    frames.alwaysDiscardsLateVideoFrames = true
    frames.videoSettings = FrameReader.settings
    frames.setSampleBufferDelegate(reader, queue: DispatchQueue(label: "camera.frames"))
    camera.begin(frame == .face ? .front : .back, preset: .photo, outputs: [photos, frames], in: view)
    // The app is used upright only, and so are its pictures.
    for output in [photos, frames] { output.connection(with: .video)?.videoOrientation = .portrait }
  }

  func end() { camera.end() }

  func take() {
    // Without a camera there is no connection, and taking a picture would end the app.
    guard photos.connection(with: .video) != nil else { return }
    photos.capturePhoto(
      with: AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: self)
  }

  nonisolated func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    guard error == nil, let picture = photo.fileDataRepresentation().flatMap({ PictureFile.jpeg($0) }) else { return }
    Task { @MainActor in self.taken(picture) }
  }
}
