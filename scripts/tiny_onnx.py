# SPDX-License-Identifier: Apache-2.0
"""Models of faces that see the same in every picture, for commands that need some to be played. They are written byte by
byte (protocol buffers of onnx.proto3, opset 11), as Tests/TestSupport/ONNX.swift does for suites. Used by command-schemas."""
import struct


def _varint(value):
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes(made) + bytes([value])


def _field(number, content):
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number, value):
    return _varint(number << 3) + _varint(value)


def _tensor(name, shape, values):
    """`TensorProto` of floats: dims 1, data_type 2, name 8, raw_data 9."""
    raw = struct.pack("<%df" % len(values), *values)
    return b"".join(_number(1, size) for size in shape) + _number(2, 1) + _field(8, name.encode()) + _field(9, raw)


def _shape(name, values):
    """A tensor of 64-bit whole numbers, as Reshape takes its shape."""
    raw = struct.pack("<%dq" % len(values), *values)
    return _number(1, len(values)) + _number(2, 7) + _field(8, name.encode()) + _field(9, raw)


def _ints(name, values):
    """`AttributeProto` of whole numbers: name 1, ints 8, type 20 = 7."""
    return _field(1, name.encode()) + b"".join(_number(8, value) for value in values) + _number(20, 7)


def _node(kind, inputs, output, *attributes):
    named = b"".join(_field(1, name.encode()) for name in inputs) + _field(2, output.encode())
    return named + _field(3, output.encode()) + _field(4, kind.encode()) + b"".join(_field(5, one) for one in attributes)


def _value(name, shape):
    dimensions = b"".join(_field(1, _number(1, size)) for size in shape)
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, 1) + _field(2, dimensions)))


def _model(inputs, outputs, initializers, nodes):
    """`ModelProto`: ir_version 1, graph 7, opset_import 8."""
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"test")
    graph += b"".join(_field(5, one) for one in initializers)
    graph += b"".join(_field(11, _value(*one)) for one in inputs) + b"".join(_field(12, _value(*one)) for one in outputs)
    return _number(1, 6) + _field(7, graph) + _field(8, _field(1, b"") + _number(2, 11))


def detector():
    """A detector in YuNet's format that sees one large face in the middle of every picture."""
    priors = 40 * 40 * 3 + 20 * 20 * 2 + 10 * 10 * 2 + 5 * 5 * 3
    # The largest box at the centre of the coarsest map, whose priors stand last.
    chosen = priors - 5 * 5 * 3 + (2 * 5 + 2) * 3 + 1
    sure, overlap, place = [1.0, 0.0] * priors, [0.0] * priors, [0.0] * (priors * 14)
    sure[chosen * 2:chosen * 2 + 2], overlap[chosen] = [0.0, 1.0], 1.0
    # Five points, in prior sizes × 0.1: eyes, nose and corners of the mouth.
    place[chosen * 14 + 4:chosen * 14 + 14] = [-2, -1.5, 2, -1.5, 0, 0, -1.5, 2, 1.5, 2]
    nodes, initializers = [_node("GlobalAveragePool", ["input"], "mean")], []
    wanted = [("loc", 14, place), ("conf", 2, sure), ("iou", 1, overlap)]
    for name, width, values in wanted:
        count = priors * width
        initializers += [_tensor(name + "_w", [count, 3, 1, 1], [0.0] * (count * 3)), _tensor(name + "_b", [count], values),
                         _shape(name + "_s", [priors, width])]
        nodes += [_node("Conv", ["mean", name + "_w", name + "_b"], name + "_c", _ints("kernel_shape", [1, 1])),
                  _node("Reshape", [name + "_c", name + "_s"], name)]
    return _model([("input", [1, 3, 320, 320])], [(name, [priors, width]) for name, width, _ in wanted], initializers, nodes)


def recogniser():
    """A recogniser in SFace's format whose features are the mean colours of a face."""
    return _model([("data", [1, 3, 112, 112])], [("fc1", [1, 3])], [], [
        _node("GlobalAveragePool", ["data"], "mean"), _node("Flatten", ["mean"], "fc1")])
