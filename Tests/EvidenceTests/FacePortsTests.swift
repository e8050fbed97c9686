// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: face comparison and liveness")
struct FacePortsTests {
  private let queue = EvidenceQueue(concurrencyMax: 1)

  private static let detectorFile = "face_detection_yunet_2022mar.onnx"
  private static let recogniserFile = "face_recognition_sface_2021dec.onnx"

  private func picture(blue: UInt8, red: UInt8, side: Int = 660) throws -> Data {
    try Pictures.jpeg(Pictures.Raw.even(side, side, blue: blue, green: 0, red: red))
  }

  @Test("without models both ports are undetermined, and say so")
  func inconclusive() async throws {
    let comparison = try await FaceComparison.inconclusive.compare(.init(Data(), .selfie), .init(Data(), .portrait))
    #expect(comparison.result == .undetermined && comparison.code == .noModel)
    let liveness = try await Liveness.inconclusive.check(Data())
    #expect(liveness.result == .undetermined && liveness.code == .noModel)
    let empty = try TestFolder(["readme.txt": Data("models go here".utf8)])
    let port = try FaceComparison.openCV(folder: ModelFolder(empty.path), queue: queue)
    #expect(try await port.compare(.init(Data(), .selfie), .init(Data(), .portrait)).code == .noModel)
    #expect(try await Liveness.openCV(folder: ModelFolder(empty.path), queue: queue).check(Data()).code == .noModel)
  }

  @Test("two models from the folder compare two faces: the same is a match, another is not")
  func comparison() async throws {
    let folder = try TestFolder([Self.detectorFile: ONNX.detector(faces: 1), Self.recogniserFile: ONNX.recogniser()])
    let port = try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
    let blue = try picture(blue: 200, red: 10), red = try picture(blue: 10, red: 200)
    let same = try await port.compare(.init(blue, .selfie), .init(blue, .selfie))
    #expect(same.result == .match && same.code == nil)
    #expect((same.score ?? 0) > 0.99)
    #expect(same.model == Self.recogniserFile)
    #expect((same.eyeDistanceA ?? 0) > 60)
    let other = try await port.compare(.init(blue, .selfie), .init(red, .selfie))
    #expect(other.result == .noMatch)
  }

  @Test("between the two thresholds nothing is decided")
  func between() async throws {
    let folder = try TestFolder([Self.detectorFile: ONNX.detector(faces: 1), Self.recogniserFile: ONNX.recogniser()])
    let port = try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
    let blue = try picture(blue: 200, red: 0), mixed = try picture(blue: 80, red: 200)
    let result = try await port.compare(.init(blue, .selfie), .init(mixed, .selfie))
    #expect(result.result == .undetermined && result.code == .betweenThresholds)
  }

  @Test("no face, several faces and small faces are undetermined, never another person")
  func doubts() async throws {
    let blue = try picture(blue: 200, red: 10)
    for (faces, code) in [(0, InconclusiveCode.noFace), (2, .severalFaces)] {
      let folder = try TestFolder([
        Self.detectorFile: ONNX.detector(faces: faces), Self.recogniserFile: ONNX.recogniser(),
      ])
      let port = try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
      let result = try await port.compare(.init(blue, .selfie), .init(blue, .selfie))
      #expect(result.result == .undetermined && result.code == code)
    }
    let folder = try TestFolder([Self.detectorFile: ONNX.detector(faces: 1), Self.recogniserFile: ONNX.recogniser()])
    let port = try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
    let small = try await port.compare(
      .init(blue, .selfie), .init(picture(blue: 200, red: 10, side: 150), .portrait))
    #expect(small.result == .undetermined && small.code == .faceTooSmall)
  }

  @Test("a liveness classifier decides by two thresholds")
  func liveness() async throws {
    let folder = try TestFolder([Self.detectorFile: ONNX.detector(faces: 1), "liveness_test.onnx": ONNX.liveness()])
    let port = try Liveness.openCV(folder: ModelFolder(folder.path), queue: queue)
    #expect(try await port.check(picture(blue: 200, red: 10)).result == .live)
    #expect(try await port.check(picture(blue: 10, red: 200)).result == .spoof)
    let unsure = try await port.check(picture(blue: 110, red: 102))
    #expect(unsure.result == .undetermined && unsure.code == .betweenThresholds)
  }

  @Test("a damaged model, and one of another shape, are named when they are loaded")
  func damaged() throws {
    let good = ONNX.detector(faces: 1)
    let recogniser = ONNX.recogniser()
    let bad: [[String: Data]] = [
      [Self.detectorFile: Data("not a model".utf8), Self.recogniserFile: recogniser],
      [Self.detectorFile: good.prefix(good.count / 3), Self.recogniserFile: recogniser],
      [Self.detectorFile: Data(), Self.recogniserFile: recogniser],
      [Self.detectorFile: recogniser, Self.recogniserFile: recogniser],
      [Self.detectorFile: good, Self.recogniserFile: recogniser.prefix(20)],
    ]
    for files in bad {
      let folder = try TestFolder(files)
      #expect(throws: ModelProblem.self) {
        try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
      }
    }
    let folder = try TestFolder([Self.detectorFile: good, "liveness.onnx": Data([8, 6, 58])])
    #expect(throws: ModelProblem.self) { try Liveness.openCV(folder: ModelFolder(folder.path), queue: queue) }
    #expect(throws: ModelProblem.self) { try ModelFolder("/nowhere/at/all") }
  }

  @Test("bytes that are no image are refused as such")
  func noImage() async throws {
    let folder = try TestFolder([Self.detectorFile: ONNX.detector(faces: 1), Self.recogniserFile: ONNX.recogniser()])
    let port = try FaceComparison.openCV(folder: ModelFolder(folder.path), queue: queue)
    await #expect(throws: ImageProblem.unsupportedMedia) {
      _ = try await port.compare(.init(Data("text".utf8), .selfie), .init(Data("text".utf8), .selfie))
    }
  }
}
