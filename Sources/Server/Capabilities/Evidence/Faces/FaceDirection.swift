// SPDX-License-Identifier: Apache-2.0

import CVision
import Crypto
import Foundation

/// Which way a face looks, from its own person's point of view.
package enum FaceDirection: String, Codable, Sendable, CaseIterable {
  case straight, left, right

  /// All three in an order that is derived from the id of a session: without the id it cannot be foreseen, and
  /// it stays the same as long as the session. Callers must not choose the id, because they would choose the order by it.
  package static func order(for id: String) -> [FaceDirection] {
    var rest = allCases
    var number = SHA256.hash(data: Data("selfie-looks/\(id)".utf8)).prefix(7).reduce(0) { $0 << 8 | Int($1) }
    return allCases.indices.map { _ in
      let count = rest.count
      let chosen = rest.remove(at: number % count)
      number /= count
      return chosen
    }
  }
}

/// What was seen of a face's direction.
package struct FaceDirectionReading: Codable, Equatable, Sendable {
  /// Turn of the head about the upright axis, in degrees; positive to the person's left. nil without one face.
  package var yaw: Double?
  /// nil between two looks, and without one face.
  package var look: FaceDirection?
  /// Why nothing was seen; nil otherwise.
  package var code: InconclusiveCode?

  package init(yaw: Double? = nil, look: FaceDirection? = nil, code: InconclusiveCode? = nil) {
    (self.yaw, self.look, self.code) = (yaw, look, code)
  }
}

/// The port that tells which way a face looks, for a random sequence of directions.
package struct FaceDirectionDetector: Sendable {
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`, `CVisionFailure`; never for what the image shows.
  package var read: @Sendable (_ image: Data) async throws -> FaceDirectionReading

  package init(read: @escaping @Sendable (_ image: Data) async throws -> FaceDirectionReading) { self.read = read }
}

/// The direction of a face by where the tip of its nose stands between its eyes.
///
/// Seen from before, a nose that is as high above the line of the eyes as `noseHeight` times their distance moves by
/// `noseHeight` · tan(yaw) of that distance. A picture of a face that is tilted or turned in its plane keeps the place
/// of its nose, but for perspective, so that a single photograph does not follow the sequence easily.
enum FacePose {
  /// In distances of the pupils: about 23 of 63 mm. People differ by some tenths, and the bounds leave room for that.
  static let noseHeight = 0.36
  /// In degrees: up to the first a face looks straight, from the second on to a side, and beyond the third the eye on
  /// the far side is not seen.
  static let straightMost = 12.0, turnedLeast = 20.0, turnedMost = 65.0

  /// - Returns: nil when the eyes are not apart.
  static func yaw(of face: cvision_face) -> Double? {
    let row = withUnsafeBytes(of: face.row) { Array($0.bindMemory(to: Float.self)).map(Double.init) }
    // As the detector lists them: the person's right eye, which a picture has on its left, left eye, tip of the nose.
    let (right, left, nose) = ((x: row[4], y: row[5]), (x: row[6], y: row[7]), (x: row[8], y: row[9]))
    let (dx, dy) = (left.x - right.x, left.y - right.y)
    let square = dx * dx + dy * dy
    guard square.isFinite, square >= 1 else { return nil }
    let place = ((nose.x - right.x) * dx + (nose.y - right.y) * dy) / square
    guard place.isFinite else { return nil }
    return atan2(place - 0.5, noseHeight) * 180 / .pi
  }

  static func look(ofYaw yaw: Double) -> FaceDirection? {
    if abs(yaw) <= straightMost { return .straight }
    guard (turnedLeast...turnedMost).contains(abs(yaw)) else { return nil }
    return yaw > 0 ? .left : .right
  }
}

extension FaceDirectionDetector {
  /// - Parameter detector: its landmarks are what is measured.
  static func openCV(_ detector: FaceDetectorModel, queue: EvidenceQueue) -> FaceDirectionDetector {
    FaceDirectionDetector { bytes in
      try await queue.run(isAlone: { ImageLimits.faces.isLarge(bytes) }) {
        let faces = try detector.detect(in: Frame.open(bytes, limits: .faces).frame)
        guard let face = faces.first else { return FaceDirectionReading(code: .noFace) }
        guard faces.count == 1 || faces[1].box.width * 2 <= face.box.width else {
          return FaceDirectionReading(code: .severalFaces)
        }
        guard let yaw = FacePose.yaw(of: face) else { return FaceDirectionReading(code: .noFace) }
        return FaceDirectionReading(yaw: yaw.rounded(), look: FacePose.look(ofYaw: yaw))
      }
    }
  }
}
