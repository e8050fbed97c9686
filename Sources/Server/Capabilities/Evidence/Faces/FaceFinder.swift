// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import Synchronization

/// A face in an image.
package struct FoundFace: Codable, Equatable, Sendable {
  /// In pixels of the image that was looked at.
  package var region: Region
  /// The detector's own score; comparable only with its own.
  package var score: Double
  /// Distance between the pupils in pixels; measured when both eyes were seen, else taken as 0.42 of the width.
  package var eyeDistance: Double
  package var eyesSeen: Bool

  enum CodingKeys: String, CodingKey {
    case region, score
    case eyeDistance = "eye_distance"
    case eyesSeen = "eyes_seen"
  }
}

/// The faces of an image, largest first.
package struct FaceReport: Codable, Equatable, Sendable {
  package var faces: [FoundFace]
  /// `haar`, `yunet`, or `none` when no detector is installed or no face was looked for.
  package var detector: String

  package var count: Int { faces.count }

  /// Whether there is a face, or none that looked for one: where no detector is installed, there may be.
  var showsFace: Bool { !faces.isEmpty || detector == "none" }
}

/// Finds faces by OpenCV's Haar cascades: presence, place and size, no identity.
final class FaceFinder: Sendable {
  private let folders: [String]
  private let loaded = Mutex<Loaded?>(nil)

  /// Where Debian and OpenCV's own build put the cascades.
  static let usualFolders = [
    "/usr/share/opencv4/haarcascades", "/usr/local/share/opencv4/haarcascades", "/usr/share/opencv/haarcascades",
  ]

  init(folders: [String]) { self.folders = folders }

  /// What the first of the searches finds that finds anything.
  /// - Throws: `CVisionFailure` when a cascade file is damaged. No file at all is a report by `none`.
  func faces(in frame: Frame, _ searches: [Search] = [.all]) throws -> FaceReport {
    let state = try loaded.withLock { state in
      if let state { return state }
      let new = try Loaded(folders: folders)
      state = new
      return new
    }
    guard let cascade = state.cascade else { return FaceReport(faces: [], detector: "none") }
    var found = cvision_faces()
    for search in searches where found.count == 0 {
      try CVisionFailure.check(cvision_cascade_seek(cascade, frame.handle, search.limits, &found))
    }
    return FaceReport(faces: Self.faces(found), detector: "haar")
  }

  /// Which faces are looked for, as shares of the frame's width.
  struct Search: Sendable {
    fileprivate let limits: cvision_face_search

    private init(_ widths: ClosedRange<Float>) {
      limits = cvision_face_search(least: widths.lowerBound, most: widths.upperBound)
    }

    static let all = Search(0...1)
    /// As wide as a portrait is on a page that was cut out, and wider.
    static let usual = Search(0.1...1)
    /// On a page that lies in a larger picture. Widths around the least usual one are in both, for a face counts when it
    /// is seen at several widths. This search takes twice as long as the usual one.
    static let small = Search(0...0.125)
  }

  static func faces(_ found: cvision_faces) -> [FoundFace] {
    withUnsafeBytes(of: found.faces) { raw in
      raw.bindMemory(to: cvision_face.self).prefix(Int(found.count)).map(FoundFace.init)
    }.sorted { $0.region.width > $1.region.width }
  }

  private final class Loaded: Sendable {
    nonisolated(unsafe) let cascade: OpaquePointer?

    init(folders: [String]) throws {
      let file = folders.lazy.map { $0 + "/haarcascade_frontalface_alt2.xml" }
        .first { FileManager.default.isReadableFile(atPath: $0) }
      guard let file else {
        cascade = nil
        return
      }
      let eyes = file.replacing("frontalface_alt2", with: "eye")
      var out: OpaquePointer?
      try CVisionFailure.check(
        cvision_cascade_load(file, FileManager.default.isReadableFile(atPath: eyes) ? eyes : nil, &out))
      cascade = out
    }

    deinit { if let cascade { cvision_cascade_free(cascade) } }
  }
}

extension FoundFace {
  init(_ face: cvision_face) {
    let region = Region(face.box)
    let dx = Double(face.eye_x.1 - face.eye_x.0), dy = Double(face.eye_y.1 - face.eye_y.0)
    let measured = (dx * dx + dy * dy).squareRoot()
    let seen = face.has_eyes != 0 && measured.isFinite
    let distance = seen ? measured : Double(region.width) * 0.42
    self.init(
      region: region, score: (Double(face.score) * 1000).rounded() / 1000, eyeDistance: (distance * 10).rounded() / 10,
      eyesSeen: seen)
  }
}
