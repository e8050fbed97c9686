// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import SwiftUI
import UIKit
import Vision

/// Looks for QR codes with the camera at the back, or in a picture that the user chooses.
struct CodeScanner: View {
  let scanned: (String) -> Void
  @Environment(\.locale) private var locale
  @State private var access = CameraAccess.asking
  @State private var complaint: PartText?

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      switch access {
      case .asking: EmptyView()
      case .given: CodeCamera(scanned: scanned)
      case .refused: Text(PartText.cameraRefused.text(locale))
      case .missing: Text(PartText.cameraMissing.text(locale))
      }
      PicturePicker { picture in
        let text = Self.code(in: picture)
        complaint = text == nil ? .noCode : nil
        if let text { scanned(text) }
      }
      if let complaint { Text(complaint.text(locale)).foregroundColor(.red) }
    }
    .task { access = await CameraAccess.of(.back) }
  }

  /// The text of the first QR code (ISO/IEC 18004) in a picture.
  private static func code(in picture: Data) -> String? {
    let request = VNDetectBarcodesRequest()
    request.symbologies = [.qr]
    do { try VNImageRequestHandler(data: picture, options: [:]).perform([request]) } catch { return nil }
    return request.results?.first?.payloadStringValue
  }
}

/// The camera of `CodeScanner`.
private struct CodeCamera: UIViewRepresentable {
  let scanned: (String) -> Void

  func makeCoordinator() -> CodeReader { CodeReader(scanned) }

  func makeUIView(context: Context) -> PreviewView {
    let view = PreviewView(frame: .zero)
    context.coordinator.begin(in: view)
    return view
  }

  func updateUIView(_ view: PreviewView, context: Context) { context.coordinator.scanned = scanned }

  static func dismantleUIView(_ view: PreviewView, coordinator: CodeReader) { coordinator.end() }
}

/// Gives each text once as long as it is the same one that is seen.
@MainActor
private final class CodeReader: NSObject, AVCaptureMetadataOutputObjectsDelegate {
  var scanned: (String) -> Void
  private let camera = CaptureCamera()
  private let output = AVCaptureMetadataOutput()
  private var last: String?

  init(_ scanned: @escaping (String) -> Void) { self.scanned = scanned }

  func begin(in view: PreviewView) {
    output.setMetadataObjectsDelegate(self, queue: .main)
    camera.begin(.back, preset: .high, outputs: [output], in: view)
    // What can be looked for is known when there is a camera.
    if output.availableMetadataObjectTypes.contains(.qr) { output.metadataObjectTypes = [.qr] }
  }

  func end() { camera.end() }

  nonisolated func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    let texts = metadataObjects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
    guard let text = texts.first else { return }
    Task { @MainActor in self.read(text) }
  }

  private func read(_ text: String) {
    guard text != last else { return }
    last = text
    scanned(text)
  }
}
