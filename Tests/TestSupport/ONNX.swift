// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes ONNX files byte by byte (protocol buffers of onnx.proto3, opset 11): just enough for the models of tests.
package enum ONNX {
  struct Node {
    var type: String
    var inputs: [String]
    var outputs: [String]
    var attributes: [Data] = []
  }

  /// `ModelProto`: ir_version 1, graph 7, opset_import 8.
  static func model(
    inputs: [(String, [Int])], outputs: [(String, [Int])], initializers: [Data], nodes: [Node]
  ) -> Data {
    var graph = Data()
    for node in nodes {
      var bytes = Data()
      for input in node.inputs { bytes += field(1, Data(input.utf8)) }
      for output in node.outputs { bytes += field(2, Data(output.utf8)) }
      bytes += field(3, Data(node.outputs[0].utf8))
      bytes += field(4, Data(node.type.utf8))
      for attribute in node.attributes { bytes += field(5, attribute) }
      graph += field(1, bytes)
    }
    graph += field(2, Data("test".utf8))
    for initializer in initializers { graph += field(5, initializer) }
    for (name, shape) in inputs { graph += field(11, valueInfo(name, shape)) }
    for (name, shape) in outputs { graph += field(12, valueInfo(name, shape)) }
    return number(1, 6) + field(7, graph) + field(8, field(1, Data()) + number(2, 11))
  }

  /// `TensorProto` of floats: dims 1, data_type 2, name 8, raw_data 9.
  static func tensor(_ name: String, _ shape: [Int], _ values: [Float]) -> Data {
    // The lowest byte first, as the processors that this is built for have it.
    let raw = values.withUnsafeBytes { Data($0) }
    return shape.reduce(Data()) { $0 + number(1, $1) } + number(2, 1) + field(8, Data(name.utf8)) + field(9, raw)
  }

  /// A tensor of 64-bit whole numbers, as Reshape wants its shape.
  static func shape(_ name: String, _ values: [Int]) -> Data {
    var raw = Data()
    for value in values { withUnsafeBytes(of: Int64(value).littleEndian) { raw.append(contentsOf: $0) } }
    return number(1, values.count) + number(2, 7) + field(8, Data(name.utf8)) + field(9, raw)
  }

  /// `AttributeProto` of whole numbers: name 1, ints 8, type 20 = 7.
  static func ints(_ name: String, _ values: [Int]) -> Data {
    field(1, Data(name.utf8)) + values.reduce(Data()) { $0 + number(8, $1) } + number(20, 7)
  }

  private static func valueInfo(_ name: String, _ shape: [Int]) -> Data {
    let dimensions = shape.reduce(Data()) { $0 + field(1, number(1, $1)) }
    return field(1, Data(name.utf8)) + field(2, field(1, number(1, 1) + field(2, dimensions)))
  }

  private static func field(_ id: Int, _ bytes: Data) -> Data {
    varint(UInt64(id << 3 | 2)) + varint(UInt64(bytes.count)) + bytes
  }

  private static func number(_ id: Int, _ value: Int) -> Data {
    varint(UInt64(id << 3)) + varint(UInt64(bitPattern: Int64(value)))
  }

  private static func varint(_ value: UInt64) -> Data {
    var rest = value, bytes = Data()
    repeat {
      bytes.append(UInt8(rest & 127) | (rest > 127 ? 128 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}

extension ONNX {
  /// A YuNet-format detector for 320 × 320 that sees `faces` faces in every picture, always at the same places.
  ///
  /// Everything is averaged away and multiplied by zero; what is left are the biases, one row per prior.
  /// - Parameter nose: where the tip of the nose is between the eyes, from −2 at the person's right eye to 2.
  package static func detector(faces: Int, nose: Float = 0) -> Data {
    let priors = 40 * 40 * 3 + 20 * 20 * 2 + 10 * 10 * 2 + 5 * 5 * 3
    // The priors of the coarsest map stand last: its centre, largest box; then one at a corner.
    let coarse = 40 * 40 * 3 + 20 * 20 * 2 + 10 * 10 * 2
    let chosen = [coarse + (2 * 5 + 2) * 3 + 1, coarse + 1].prefix(faces)
    var sure = [Float](repeating: 0, count: priors * 2), overlap = [Float](repeating: 0, count: priors)
    var place = [Float](repeating: 0, count: priors * 14)
    for prior in 0..<priors { sure[prior * 2] = 1 }
    for prior in chosen {
      sure[prior * 2] = 0
      sure[prior * 2 + 1] = 1
      overlap[prior] = 1
      // Offsets of the five points, in prior sizes × 0.1: eyes left and right of the middle.
      let points: [Float] = [-2, -1.5, 2, -1.5, nose, 0, -1.5, 2, 1.5, 2]
      for (index, value) in points.enumerated() { place[prior * 14 + 4 + index] = value }
    }
    return biased(outputs: [("loc", 14, place), ("conf", 2, sure), ("iou", 1, overlap)], priors: priors)
  }

  private static func biased(outputs: [(String, Int, [Float])], priors: Int) -> Data {
    var nodes = [Node(type: "GlobalAveragePool", inputs: ["input"], outputs: ["mean"])]
    var initializers: [Data] = []
    for (name, width, values) in outputs {
      let count = priors * width
      initializers.append(tensor(name + "_w", [count, 3, 1, 1], [Float](repeating: 0, count: count * 3)))
      initializers.append(tensor(name + "_b", [count], values))
      initializers.append(shape(name + "_s", [priors, width]))
      nodes.append(
        Node(
          type: "Conv", inputs: ["mean", name + "_w", name + "_b"], outputs: [name + "_c"],
          attributes: [ints("kernel_shape", [1, 1])]))
      nodes.append(Node(type: "Reshape", inputs: [name + "_c", name + "_s"], outputs: [name]))
    }
    return model(
      inputs: [("input", [1, 3, 320, 320])], outputs: outputs.map { ($0.0, [priors, $0.1]) },
      initializers: initializers, nodes: nodes)
  }

  /// An SFace-format recogniser whose features are the mean colours of a face: enough to tell red from blue.
  package static func recogniser() -> Data {
    model(
      inputs: [("data", [1, 3, 112, 112])], outputs: [("fc1", [1, 3])], initializers: [],
      nodes: [
        Node(type: "GlobalAveragePool", inputs: ["data"], outputs: ["mean"]),
        Node(type: "Flatten", inputs: ["mean"], outputs: ["fc1"]),
      ])
  }

  /// A liveness classifier that believes in blue: class 1 grows with the blue channel, class 0 with the red.
  package static func liveness() -> Data {
    model(
      inputs: [("input", [1, 3, 80, 80])], outputs: [("scores", [1, 2])],
      initializers: [tensor("w", [2, 3, 1, 1], [0, 0, 0.05, 0.05, 0, 0])],
      nodes: [
        Node(type: "GlobalAveragePool", inputs: ["input"], outputs: ["mean"]),
        Node(
          type: "Conv", inputs: ["mean", "w"], outputs: ["conv"], attributes: [ints("kernel_shape", [1, 1])]),
        Node(type: "Flatten", inputs: ["conv"], outputs: ["scores"]),
      ])
  }
}
