// SPDX-License-Identifier: Apache-2.0

extension CheckDigitRepair {
  /// How a field stands with its own check digit.
  enum CheckState: Hashable {
    /// Only the composite covers it.
    case uncovered
    case holds
    /// So much must be added to the field's sum, modulo 10.
    case fails(need: Int)
    /// The digit is no digit.
    case hopeless
  }

  /// One character of a field and its weights in the field's and the composite's sums.
  struct Place {
    let line: Int
    let position: Int
    let fieldWeight: Int
    /// 0 where the composite does not cover it.
    let compositeWeight: Int
  }

  /// A field of letters and digits in which substitutions may be tried.
  struct Field {
    let places: [Place]
    let state: CheckState

    /// The number with its continuation, and the optional data.
    static func all(of layout: MRZLayout, in lines: [[UInt8]]) -> [Field] {
      let weights = compositeWeights(of: layout)
      func places(_ span: MRZSpan, from first: Int = 0) -> [Place] {
        span.range.enumerated().map { offset, position in
          Place(
            line: span.line, position: position, fieldWeight: MRZ.weight(at: first + offset),
            compositeWeight: weights[span.line]?[position] ?? 0)
        }
      }
      let number = MRZNumber(layout: layout, lines: lines)
      var numberPlaces = places(layout.number)
      var optional = layout.optionalData1
      let continued = number.characters.count - layout.number.range.count
      if continued > 0, let span = optional {
        let start = span.range.lowerBound
        numberPlaces += places(MRZSpan(span.line, start..<start + continued), from: layout.number.range.count)
        // What follows the check digit and the filler behind it is data again.
        let data = min(start + continued + 2, span.range.upperBound)
        optional = MRZSpan(span.line, data..<span.range.upperBound)
      }
      var fields = [Field(places: numberPlaces, state: state(number.digit))]
      if let span = optional {
        fields.append(Field(places: places(span), state: optionalState(layout, lines)))
      }
      if let span = layout.optionalData2 { fields.append(Field(places: places(span), state: .uncovered)) }
      return fields
    }

    private static func state(_ digit: MRZ.CheckDigit) -> CheckState {
      if digit.ok { return .holds }
      guard let present = Int(digit.present), let computed = Int(digit.computed) else { return .hopeless }
      return .fails(need: modulo10(present - computed))
    }

    private static func optionalState(_ layout: MRZLayout, _ lines: [[UInt8]]) -> CheckState {
      guard let span = layout.optionalData1, let digit = layout.optionalDigit else { return .uncovered }
      let present = lines[digit.line][digit.range.lowerBound]
      let computed = MRZ.checkDigit(of: lines[span.line][span.range])
      if present == computed || present.isFiller && computed == UInt8(ascii: "0") { return .holds }
      guard present.isDigit else { return .hopeless }
      return .fails(need: modulo10(Int(present) - Int(computed)))
    }

    private static func compositeWeights(of layout: MRZLayout) -> [Int: [Int: Int]] {
      var weights: [Int: [Int: Int]] = [:]
      var index = 0
      for span in layout.compositeCover {
        for position in span.range {
          weights[span.line, default: [:]][position] = MRZ.weight(at: index)
          index += 1
        }
      }
      return weights
    }
  }
}
