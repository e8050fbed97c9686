// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: which way a face looks")
struct FaceDirectionTests {
  @Test("the order of a session is always the same, and over many sessions all six come about equally often")
  func order() {
    var counts: [[FaceDirection]: Int] = [:]
    for number in 0..<1200 {
      let id = "0192f0a0-0000-7000-8000-\(number)"
      let order = FaceDirection.order(for: id)
      #expect(order == FaceDirection.order(for: id))
      #expect(Set(order) == Set(FaceDirection.allCases) && order.count == 3)
      counts[order, default: 0] += 1
    }
    #expect(counts.count == 6)
    #expect(counts.values.allSatisfy { (140...260).contains($0) }, "\(counts.values)")
  }

  /// Right eye, left eye and tip of the nose of a head, in millimetres, seen by a camera before it.
  /// - Parameters:
  ///   - yaw: turn to the person's left, in degrees, which is the right of a picture that is not mirrored.
  ///   - roll: turn in the plane of the picture.
  ///   - nose: how far its tip stands before the eyes.
  private func face(yaw: Double, roll: Double = 0, nose: Double = 23, distance: Double = 400) -> cvision_face {
    let points: [(x: Double, y: Double, z: Double)] = [(-31.5, 0, 0), (31.5, 0, 0), (0, 42, nose)]
    let (turn, tilt, focus) = (yaw * .pi / 180, roll * .pi / 180, 1500.0)
    let seen = points.map { point -> (x: Double, y: Double) in
      let (x, z) = (point.x * cos(turn) + point.z * sin(turn), -point.x * sin(turn) + point.z * cos(turn))
      let scale = focus / (distance - z)
      return (
        600 + scale * (x * cos(tilt) - point.y * sin(tilt)), 800 + scale * (x * sin(tilt) + point.y * cos(tilt))
      )
    }
    var face = cvision_face()
    withUnsafeMutableBytes(of: &face.row) { raw in
      let row = raw.bindMemory(to: Float.self)
      for (index, point) in seen.enumerated() {
        row[4 + index * 2] = Float(point.x)
        row[5 + index * 2] = Float(point.y)
      }
    }
    return face
  }

  @Test("a turned head is seen as turned to its own side, whichever way the picture is held and whatever its nose")
  func heads() throws {
    for nose in [18.0, 23, 28] {
      for roll in [-90.0, -20, 0, 15, 180] {
        for yaw in [-4.0, 0, 4] {
          let seen = try #require(FacePose.yaw(of: face(yaw: yaw, roll: roll, nose: nose)))
          #expect(FacePose.look(ofYaw: seen) == .straight, "\(yaw) with \(nose) seen as \(seen)")
        }
        for yaw in [28.0, 35, 45] {
          let left = try #require(FacePose.yaw(of: face(yaw: yaw, roll: roll, nose: nose)))
          #expect(FacePose.look(ofYaw: left) == .left, "\(yaw) with \(nose) seen as \(left)")
          let right = try #require(FacePose.yaw(of: face(yaw: -yaw, roll: roll, nose: nose)))
          #expect(FacePose.look(ofYaw: right) == .right)
        }
      }
    }
    let usual = try #require(FacePose.yaw(of: face(yaw: 30)))
    #expect(abs(usual - 30) < 6, "\(usual)")
  }

  @Test("a photograph of a face that is turned away stays a face that looks straight")
  func flat() throws {
    for yaw in stride(from: -50.0, through: 50, by: 10) {
      let seen = try #require(FacePose.yaw(of: face(yaw: yaw, nose: 0)))
      #expect(FacePose.look(ofYaw: seen) == .straight, "\(yaw) seen as \(seen)")
    }
  }

  @Test("between two looks, and from the side, nothing is said; eyes in one place are no face")
  func unclear() {
    for yaw in [13.0, -19, 70, .nan] { #expect(FacePose.look(ofYaw: yaw) == nil) }
    #expect(FacePose.yaw(of: cvision_face()) == nil)
  }

  @Test("a detector from the folder tells looks, with and without a liveness classifier; none without it")
  func port() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1)
    let picture = try Pictures.jpeg(Pictures.gradient(660, 660))
    for (nose, look) in [(Float(0), FaceDirection.straight), (1, .left), (-1, .right)] {
      let folder = try TestFolder(["face_detection_yunet_2022mar.onnx": ONNX.detector(faces: 1, nose: nose)])
      let port = try Liveness.openCV(folder: ModelFolder(folder.path), queue: queue)
      #expect(try await port.looks?.read(picture).look == look)
      #expect(try await port.check(picture).code == .noModel)
    }
    for (faces, code) in [(0, InconclusiveCode.noFace), (2, .severalFaces)] {
      let folder = try TestFolder([
        "face_detection_yunet_2022mar.onnx": ONNX.detector(faces: faces), "liveness_test.onnx": ONNX.liveness(),
      ])
      let port = try Liveness.openCV(folder: ModelFolder(folder.path), queue: queue)
      #expect(try await port.looks?.read(picture) == FaceDirectionReading(code: code))
    }
    let empty = try TestFolder()
    #expect(try Liveness.openCV(folder: ModelFolder(empty.path), queue: queue).looks == nil)
  }

  @Test("a sequence that is kept passes; one that cannot be told is an agent's, and another one is for review")
  func rule() {
    func rule(_ seen: [FaceDirectionReading], liveness: FaceDirectionReading? = nil) -> VerificationOutcome.Rule? {
      let evidence = VerificationEvidence(
        documents: [:], liveness: .init(result: .live),
        looks: SelfieLooks(asked: [.left, .straight, .right], seen: seen, liveness: liveness))
      return CrossDocumentRules(policy: .init(today: CalendarDate(year: 2026, month: 1, day: 1)!)).decide(evidence)
        .rule(.selfieLooks)
    }
    func look(_ look: FaceDirection?) -> FaceDirectionReading { FaceDirectionReading(yaw: 0, look: look) }
    #expect(rule([look(.left), look(.straight), look(.right)])?.result == .pass)
    let unclear = rule([look(.left), look(nil), FaceDirectionReading(code: .noModel)])
    #expect(unclear?.result == .inconclusive && unclear?.reasons == ["straight-unclear", "no-model"])
    let other = rule([look(.straight), look(.straight), look(nil)])
    #expect(other?.result == .review && other?.reasons == ["left-straight", "right-unclear"])

    // The liveness picture is the last of the order, and looks straight.
    let kept = [look(.left), look(.straight), look(.right)]
    #expect(rule(kept, liveness: look(.straight))?.result == .pass)
    let turned = rule(kept, liveness: look(.left))
    #expect(turned?.result == .review && turned?.reasons == ["liveness-left"])
    let untold = rule(kept, liveness: FaceDirectionReading(code: .noFace))
    #expect(untold?.result == .inconclusive && untold?.reasons == ["liveness-no-face"])
  }
}
