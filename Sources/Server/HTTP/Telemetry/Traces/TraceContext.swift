// SPDX-License-Identifier: Apache-2.0

import Tracing

/// Where a span stands, as it travels between programs: W3C Trace Context, Level 1.
package struct TraceContext: Sendable, Hashable {
  /// 16 bytes in lower-case hexadecimal, not all zero.
  package let traceID: String
  /// 8 bytes in lower-case hexadecimal, not all zero.
  package let spanID: String
  /// Whether the caller may have recorded its span; the only flag that Level 1 knows.
  package let isSampled: Bool
  package let state: TraceState

  package init(traceID: String, spanID: String, isSampled: Bool, state: TraceState = TraceState()) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
    self.state = state
  }

  /// Reads the two header fields. A damaged `tracestate` is dropped and the trace goes on (§3.3.1.4, §4.3).
  ///
  /// 1. `version-traceid-parentid-flags`, 2, 32, 16 and 2 lower-case hexadecimal digits (§3.2.2).
  /// 2. Version `ff` is forbidden; neither id may be zero.
  /// 3. Version `00` ends there; a later one may go on after another dash, and what is known of it is read (§3.2.4).
  ///
  /// - Returns: nil when `traceparent` is damaged: the trace begins anew.
  package init?(traceparent: String, tracestate: String?) {
    let bytes = Array(traceparent.utf8)
    guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      let version = Self.hex(bytes[0..<2]), let traceID = Self.hex(bytes[3..<35]),
      let spanID = Self.hex(bytes[36..<52]), let flags = Self.hex(bytes[53..<55]), version != "ff",
      version == "00" ? bytes.count == 55 : bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
      traceID.contains(where: { $0 != "0" }), spanID.contains(where: { $0 != "0" }),
      let bits = UInt8(flags, radix: 16)
    else { return nil }
    self.init(
      traceID: traceID, spanID: spanID, isSampled: bits & 1 == 1,
      state: tracestate.flatMap(TraceState.init(parsing:)) ?? TraceState())
  }

  /// As version `00` writes it.
  package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

  private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
    let isHex = bytes.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    return isHex ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

private enum TraceContextKey: InstrumentationContextKey {
  typealias Value = TraceContext
  static let nameOverride: String? = "w3c-trace-context"
}

extension InstrumentationContext {
  /// Of the span that this code runs in; nil outside of any.
  package var trace: TraceContext? {
    get { self[TraceContextKey.self] }
    set { self[TraceContextKey.self] = newValue }
  }
}
