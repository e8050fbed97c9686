// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A camera that takes pictures. The app's camera measures what it sees and tells it some times a second; the screen
/// answers with a hint.
public struct ScreenCamera<Event: Sendable>: Sendable {
  /// What it is pointed at; shown, and read aloud.
  public var label: String
  /// Which camera, and which frame is drawn over its picture.
  public var frame: CameraFrame
  /// What to do so that the picture becomes good; read aloud whenever it changes.
  public var hint: String
  /// Whether a picture of what is seen now would be good. A picture can be taken all the same.
  public var isReady: Bool
  /// What a measurement means.
  public var seen: @Sendable (CameraReading) -> Event
  /// What a picture means: the bytes of a JPEG or PNG file.
  public var taken: @Sendable (Data) -> Event

  /// Creates the value from its members.
  public init(
    label: String, frame: CameraFrame, hint: String, isReady: Bool,
    seen: @escaping @Sendable (CameraReading) -> Event, taken: @escaping @Sendable (Data) -> Event
  ) {
    (self.label, self.frame, self.hint, self.isReady) = (label, frame, hint, isReady)
    (self.seen, self.taken) = (seen, taken)
  }
}

/// Which camera, and which frame is drawn over its picture.
public enum CameraFrame: String, Sendable, CaseIterable {
  /// The camera at the back, with a frame of a card: ID-1 of ISO/IEC 7810, 85.60 × 53.98 mm.
  case card
  /// The camera at the back, with a frame of a passport's data page: ID-3 of ISO/IEC 7810, 125 × 88 mm.
  case passport
  /// The camera at the front, with an oval.
  case face
}

/// What an app's camera measures of a picture. The app fills it in from the system's or another library's detector.
public struct CameraReading: Sendable, Equatable {
  /// How much of the subject is seen.
  public enum Subject: String, Sendable, CaseIterable {
    /// The subject is not in the picture.
    case missing
    /// A part lies outside of the picture.
    case cut
    case whole
  }

  /// How much of the subject is seen.
  public var subject: Subject
  /// The subject's longer side as a share of the frame's, 0…1 and above.
  public var extent: Double
  /// 0…1: 0 is blurred beyond reading, 1 as sharp as the camera can be.
  public var sharpness: Double
  /// The share of the subject that is blown out by reflections, 0…1.
  public var glare: Double

  /// Creates the value from its members.
  public init(subject: Subject, extent: Double = 0, sharpness: Double = 0, glare: Double = 0) {
    (self.subject, self.extent, self.sharpness, self.glare) = (subject, extent, sharpness, glare)
  }
}

/// A picture to look at, such as the one that was just taken.
public struct ScreenPicture: Sendable, Equatable {
  /// What it shows; read aloud.
  public var label: String
  /// The bytes of a JPEG or PNG file.
  public var data: Data

  /// Creates the value from its members.
  public init(label: String, data: Data) { (self.label, self.data) = (label, data) }
}
