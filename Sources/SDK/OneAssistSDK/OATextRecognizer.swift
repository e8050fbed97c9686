// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(Vision)
  internal import Vision
#endif

/// Who reads the text of a screenshot of the phone's identifiers.
public enum OATextRecognizer: Sendable {
  /// The server's endpoint for recognising text.
  case server
  /// The device, by a function such as one that calls ML Kit. It gets a JPEG or PNG picture and gives back the
  /// lines of text; nil, which fails the call with 4006, when it cannot read pictures.
  case device(@Sendable (_ picture: Data) async -> String?)

  #if canImport(Vision)
    /// The system's own text recognition. The picture is not sent anywhere to be read.
    public static let onDevice = OATextRecognizer.device { picture in
      let request = VNRecognizeTextRequest()
      request.recognitionLevel = .accurate
      // Numbers are not words of a language.
      request.usesLanguageCorrection = false
      do { try VNImageRequestHandler(data: picture, options: [:]).perform([request]) } catch { return nil }
      return (request.results ?? []).compactMap { $0.topCandidates(1).first?.string }.joined(separator: "\n")
    }

    /// The system's text recognition where there is one, else the server's endpoint.
    public static let ofThisDevice = onDevice
  #else
    /// The system's text recognition where there is one, else the server's endpoint.
    public static let ofThisDevice = OATextRecognizer.server
  #endif
}
